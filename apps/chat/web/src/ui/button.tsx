import type { ButtonHTMLAttributes, Ref } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  readonly icon?: IconName;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = "plain", icon, className = "", children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${look} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  readonly icon: IconName;
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon, label, className = "", ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

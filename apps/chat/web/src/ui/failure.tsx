import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface FailureProps {
  readonly message: string;
  readonly onRetry?: (() => void) | undefined;
  readonly retryLabel?: string;
}

/** An error message with an optional retry button. */
export function Failure({ message, onRetry, retryLabel = "Try again" }: FailureProps) {
  return (
    <div className="failure" role="alert">
      <Icon name="alert" />
      <p>{message}</p>
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </div>
  );
}

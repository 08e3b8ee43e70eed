import { IconButton } from "./button.tsx";
import { setTheme, THEMES, useTheme } from "./theme.ts";

const LOOKS = {
  system: { icon: "system", label: "Theme: system" },
  light: { icon: "sun", label: "Theme: light" },
  dark: { icon: "moon", label: "Theme: dark" },
} as const;

/** Cycles through the three themes. */
export function ThemeSwitch() {
  const theme = useTheme();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return <IconButton {...LOOKS[theme]} onClick={() => setTheme(next)} />;
}

import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface FailureProps {
  readonly message: string;
  readonly onRetry?: () => void;
  readonly retryLabel?: string;
}

/** What went wrong, in a sentence, and what can be done about it. */
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

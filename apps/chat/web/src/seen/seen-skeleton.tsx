import { Skeleton } from "../ui/skeleton.tsx";

/** Where the totals, the bar of the context and the timeline will be. */
export function SeenSkeleton() {
  return (
    <div className="seen-skeleton" aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading what the model saw…
      </p>
      <div className="seen-bones" aria-hidden="true">
        <i className="bone tall" />
        <i className="bone tall" />
        <i className="bone tall" />
      </div>
      <Skeleton lines={6} />
      <Skeleton lines={9} />
    </div>
  );
}

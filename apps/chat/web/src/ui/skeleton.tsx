interface SkeletonProps {
  /** The number of lines. */
  readonly lines?: number;
}

/** Where text will be. It appears late, so that what loads at once does not flash. */
export function Skeleton({ lines = 3 }: SkeletonProps) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <i key={at} className="bone" />
      ))}
    </div>
  );
}

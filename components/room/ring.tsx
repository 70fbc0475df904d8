const RADIUS = 6
const LENGTH = 2 * Math.PI * RADIUS

/** How much of something is filled, 0 to 1; a full ring that is crossed says that there is more. */
export function Ring({ filled, isNear }: { readonly filled: number; readonly isNear: boolean }) {
  const shown = Math.max(0.02, Math.min(1, filled)) * LENGTH
  return (
    <svg viewBox="0 0 16 16" className="size-3.5 flex-none" aria-hidden="true">
      <circle cx={8} cy={8} r={RADIUS} className="stroke-line-strong" strokeWidth={2.5} />
      <circle
        cx={8}
        cy={8}
        r={RADIUS}
        className={isNear ? 'stroke-warn' : 'stroke-control'}
        strokeWidth={2.5}
        strokeDasharray={`${shown} ${LENGTH}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  )
}

import { Button } from '../controls/button'
import { SentenceText } from '../text/foreign-text'
import { cx, progressBar } from '../recipes/recipe'
import { Spinner } from './wait'

export interface ProgressProps {
  /** The task as a sentence: "Reading the zip: 2.1 of 10 MB…". */
  readonly what: string
  /** Steps or bytes done, of all; null if the total is unknown, so that there is no bar. */
  readonly done: number
  readonly of: number | null
  readonly cancel?: { readonly label: string; readonly run: () => void }
  readonly className?: string
}

/** A long task: its progress, and a way to cancel it. Screen readers don't announce every step. */
export function Progress({ what, done, of, cancel, className }: ProgressProps) {
  return (
    <div className={cx('flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted', className)}>
      <span className="grid min-w-0 flex-1 basis-40 gap-1">
        <span className="flex items-center gap-2 tabular-nums">
          {of === null ? <Spinner /> : null}
          <SentenceText text={what} />
        </span>
        {of === null ? null : (
          <progress
            className={progressBar({}, 'w-full')}
            aria-label={what}
            value={Math.min(done, of)}
            max={Math.max(of, 1)}
          />
        )}
      </span>
      {cancel ? (
        <Button onClick={cancel.run}>
          <SentenceText text={cancel.label} />
        </Button>
      ) : null}
    </div>
  )
}

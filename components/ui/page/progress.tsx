import { Button } from '../controls/button'
import { SentenceText } from '../text/foreign-text'
import { cx, progressBar } from '../recipes/recipe'
import { Spinner } from './wait'

export interface ProgressProps {
  /** What is done, a sentence: “Reading the zip: 2.1 of 10 MB …”. */
  readonly what: string
  /** Steps or bytes that are done, of all; null: no one knows how many there are, so there is no bar. */
  readonly done: number
  readonly of: number | null
  readonly cancel?: { readonly label: string; readonly run: () => void }
  readonly className?: string
}

/** Long work: how much of it is done, and the way to end it. What was read out once is not read out at every step. */
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

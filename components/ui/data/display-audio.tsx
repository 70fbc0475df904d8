import { useMemo } from 'react'
import { SealedFrame } from '../foreign/sealed-frame'
import { SentenceText } from '../text/foreign-text'
import { tableHead } from '../recipes/recipe'

const look = '<style>body{margin:0}audio{display:block;width:100%}</style>'

/** Sound with the browser's own player, in the sealed frame, because the page's policy blocks media. */
export default function DisplayAudio({ label, source }: { label: string; source: string }) {
  const markup = useMemo(
    () => ({ kind: 'html', text: `${look}<audio controls src="${source}"></audio>` }) as const,
    [source],
  )
  return (
    <div>
      <div className={tableHead()}>
        <span className="text-sm text-muted">
          <SentenceText text={label} />
        </span>
      </div>
      <div className="max-w-120 px-3.5 py-3 narrow:px-3">
        <SealedFrame label={label} markup={markup} height="content" expectedHeight={54} />
      </div>
    </div>
  )
}

import { SaidText } from '@/components/ui/foreign-text'
import type { ResultChange, ResultRelease } from '@/lib/conversation/conversation'
import { Sentence } from '../sentence'
import { Meta, Fact } from '../look/card-parts'

const words: Readonly<Record<ResultChange, string>> = {
  trimmed: 'trimmed',
  redacted: 'redacted',
  edited: 'edited',
  'file-reference': 'replaced by a file reference',
}

/** What the user did to the result before it went out. */
export function ReleasedNote({ release, posted }: { release: ResultRelease | null; posted: boolean }) {
  if (release === null || (release.kind === 'sent' && release.note === '')) return null
  return (
    <>
      {release.kind === 'changed' ? (
        <Sentence
          parts={[
            `You changed this result: ${release.changes.map((change) => words[change]).join(', ')}. ${posted ? 'The model was told that it was changed, not what you took out.' : 'The model has not been told yet.'}`,
          ]}
        />
      ) : null}
      {release.note === '' ? null : (
        <Meta>
          <Fact>
            your note to the model: “<SaidText text={release.note} />”
          </Fact>
        </Meta>
      )}
    </>
  )
}

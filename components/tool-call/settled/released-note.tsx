import { SentenceText } from '@/components/ui/foreign-text'
import type { ResultRelease } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { Sentence } from '../sentence'
import { Meta, Fact } from '../styles/card-parts'

/** What the user did to the result before it went out. */
export function ReleasedNote({ release, posted }: { release: ResultRelease | null; posted: boolean }) {
  if (release === null || (release.kind === 'sent' && release.note === '')) return null
  return (
    <>
      {release.kind === 'changed' ? (
        <Sentence
          parts={[
            t('settled.changed', {
              changes: release.changes.map((change) => t(`settled.change.${change}`)),
              posted,
            }),
          ]}
        />
      ) : null}
      {release.note === '' ? null : (
        <Meta>
          <Fact>
            <SentenceText text={t('settled.note', { note: release.note })} />
          </Fact>
        </Meta>
      )}
    </>
  )
}

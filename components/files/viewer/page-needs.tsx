import { SentenceText } from '@/components/ui/foreign-text'
import { pageLimits, type PageNeeds } from '@/lib/client/files/page/page-files'
import { t } from '@/lib/i18n/t'
import { FileNotice } from './file-notice'

const shown = 3
const maxName = 80

/** What the page names and does not get: else it would look broken for no reason. */
export function MissingNeeds({ missing, left, remote }: Pick<PageNeeds, 'missing' | 'left' | 'remote'>) {
  if (missing.length + left.length + remote.length === 0) return null
  const words = [...said('missing', missing), ...said('left', left), ...said('remote', remote)].join(' ')
  return (
    <FileNotice tone="quiet">
      <SentenceText text={words} />
    </FileNotice>
  )
}

function said(what: 'missing' | 'left' | 'remote', all: readonly string[]): readonly string[] {
  if (all.length === 0) return []
  const names = all.slice(0, shown).map((name) => (name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name))
  const count = all.length - names.length
  const { files, bytes } = pageLimits
  if (what === 'left') {
    return [
      count > 0 ? t('artifact.left-more', { names, count, files, bytes }) : t('artifact.left', { names, files, bytes }),
    ]
  }
  return [count > 0 ? t(`artifact.${what}-more`, { names, count }) : t(`artifact.${what}`, { names })]
}

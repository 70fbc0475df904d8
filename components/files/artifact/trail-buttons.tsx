import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { IconButton } from '@/components/ui/icon-button'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { nameOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import type { PageTrail } from './use-page-trail'

const nameAt = ({ path, query, hash }: PageTrail['at']): string =>
  visibleText(`${nameOf(path)}${query}${hash}`.slice(0, 80), 'name')

/** Back and on through the pages that were gone to; nothing before the first link. */
export function TrailButtons({ trail: { before, after, back, forward } }: { readonly trail: PageTrail }) {
  if (before === null && after === null) return null
  return (
    <span className="flex">
      <IconButton
        icon="left"
        label={before ? labelOf(t('artifact.back', { name: asForeign(nameAt(before)) })) : t('artifact.no-back')}
        className="narrow:size-touch"
        disabled={before === null}
        onClick={back}
      />
      <IconButton
        icon="right"
        label={after ? labelOf(t('artifact.forward', { name: asForeign(nameAt(after)) })) : t('artifact.no-forward')}
        className="narrow:size-touch"
        disabled={after === null}
        onClick={forward}
      />
    </span>
  )
}

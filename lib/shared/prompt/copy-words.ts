import { english } from '@/lib/base/text/locale'
import { neutralise } from '@/lib/protocols/registry'
import type { CopyEnd } from '@/lib/shared/conversation/conversation'

/** The end of a copy, as the model reads it before the user's next message. */
export function copyEndText({ kind, changed, kept, leftOut }: CopyEnd): string {
  const files = (count: number) => english.plural(count, { one: 'one file', other: `${count} files` })
  if (kind === 'discarded') {
    return `Your calls ran on a copy of the files. The user discarded the copy. All files are as they were before it.`
  }
  if (kept === changed) {
    return `Your calls ran on a copy of the files. The user kept all changes (${files(kept)}). They are in the files now.`
  }
  const named = leftOut.map((path) => neutralise.json(JSON.stringify(path))).join(', ')
  const more = changed - kept - leftOut.length
  const rest = more > 0 ? ` and ${more} more` : ''
  return `Your calls ran on a copy of the files. The user kept the changes of ${files(kept)} and discarded those of ${files(changed - kept)}: ${named}${rest}. These are as they were before the copy.`
}

import { ForeignText } from '@/components/ui/text/foreign-text'
import { wordDiff } from '@/lib/shared/mcp/word-diff'

const looks = {
  same: '',
  added: 'bg-diff-add text-diff-add-text underline',
  removed: 'bg-diff-remove text-diff-remove-text line-through',
} as const
const tags = { same: 'span', added: 'ins', removed: 'del' } as const

/** A server's whole text, with invisible characters shown. With an earlier text: marks added and removed words. */
export function ChangedText({ before, after }: { before: string | null; after: string }) {
  const parts = before === null ? [{ kind: 'same' as const, text: after }] : wordDiff(before, after)
  return (
    <p className="m-0 text-sm whitespace-pre-wrap wrap-anywhere">
      {parts.map(({ kind, text }, index) => {
        const Tag = tags[kind]
        return (
          <Tag key={index} className={looks[kind]}>
            <ForeignText text={text} reading="prose" />
          </Tag>
        )
      })}
    </p>
  )
}

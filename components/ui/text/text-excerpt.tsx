import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { SentenceText } from './foreign-text'

/** A text to review before it is sent or used: scrolls by itself. */
export const TextExcerpt = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <pre
    className="mt-1 max-h-40 max-w-drawer overflow-auto rounded-sm bg-code p-2 font-mono text-sm whitespace-pre-wrap text-code-text wrap-anywhere"
    tabIndex={0}
    aria-label={visibleText(label, 'prose')}
  >
    <SentenceText text={text} />
  </pre>
)

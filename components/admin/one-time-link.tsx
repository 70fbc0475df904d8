import { withBase } from '@/lib/base/base-path'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { panel } from '@/components/ui/recipes/surface'

/** A link that is shown only once: the server stores only a hash of its code. */
export function OneTimeLink({ path, about }: { path: string; about: string }) {
  const address = new URL(withBase(path), window.location.href).href
  return (
    <div role="status" className={panel(undefined, 'grid gap-1 p-3')}>
      <p className="text-sm">
        <SentenceText text={about} />
      </p>
      <p className="flex items-start gap-2">
        <code className="min-w-0 flex-1 font-mono text-mono wrap-anywhere select-all">
          <SentenceText text={address} />
        </code>
        <CopyButton text={() => address} />
      </p>
    </div>
  )
}

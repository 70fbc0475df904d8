import { PageLink } from '@/components/ui/page-link'
import { Icon } from '@/components/ui/icon'
import { iconButton, textButton } from '@/components/ui/recipes/button'
import { column, panel } from '@/components/ui/recipes/surface'
import type { Notice, NoticesPage } from '@/lib/wiring/notices.server'

/** What this server hands to browsers, from whom, and under which terms. Works without scripts. */
export function LicenceList({ notices }: { notices: NoticesPage | null }) {
  return (
    <main className={column({ filled: true }, 'min-h-dvh')}>
      <div className="mb-3 flex items-center gap-2">
        <PageLink className={iconButton({})} href="/" aria-label="Back to the chat" title="Back to the chat">
          <Icon name="left" />
        </PageLink>
        <h1 className="text-xl font-strong tracking-tight">Licences</h1>
      </div>
      {notices ? (
        <Found {...notices} />
      ) : (
        <p className="text-muted">The notices are made with a build, and this server runs without one.</p>
      )}
    </main>
  )
}

function Found({ version, licence, packages }: NoticesPage) {
  return (
    <>
      <p className="mb-4 text-pretty text-muted">
        Nod {version} comes with {packages.length} packages of others. Those are all that this server hands to your
        browser: for its pages, their workers and the sandbox.
      </p>
      <ul className={panel({}, 'overflow-hidden')}>
        <Entry name="Nod" facts={`${version} · MIT`} text={licence} />
        {packages.map((each) => (
          <Entry key={`${each.name} ${each.version}`} {...each} facts={factsOf(each)} />
        ))}
      </ul>
    </>
  )
}

const factsOf = ({ version, licence }: Notice): string => `${version} · ${licence}`

interface EntryProps {
  readonly name: string
  readonly facts: string
  readonly text: string
  readonly source?: string | null
  readonly servedIn?: readonly string[]
}

function Entry({ name, facts, text, source, servedIn }: EntryProps) {
  return (
    <li className="not-first:border-t not-first:border-line">
      <details className="group">
        <summary className="flex flex-wrap items-baseline gap-x-3 px-3.5 py-2 cursor-pointer hover:bg-hover pointer-coarse:py-3">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="ms-auto text-sm text-muted tabular-nums">{facts}</span>
          <Icon name="right" className="self-center text-muted group-open:rotate-90" />
        </summary>
        <div className="border-t border-line px-3.5 py-3 text-sm">
          {servedIn ? <p className="text-muted">Served in {servedIn.join(', ')}.</p> : null}
          {source?.startsWith('https://') ? (
            <p>
              <a className={textButton({}, 'wrap-anywhere')} href={source} rel="noreferrer">
                {source}
              </a>
            </p>
          ) : null}
          <pre className="mt-2 max-h-96 overflow-auto font-mono text-mono whitespace-pre-wrap" tabIndex={0}>
            {text}
          </pre>
        </div>
      </details>
    </li>
  )
}

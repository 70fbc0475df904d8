'use client'

import { PageHead } from '@/components/ui/page/page-head'
import { Icon } from '@/components/ui/controls/icon'
import { textButton } from '@/components/ui/recipes/button'
import { column, panel } from '@/components/ui/recipes/surface'
import { useLanguage } from '@/components/ui/page/use-language'
import type { NoticesPage } from '@/lib/server/wiring/observe/observers.server'
import { t } from '@/lib/i18n/t'

/** What this server sends to browsers, by whom, and under which terms. Works without scripts. */
export function LicenceList({ notices }: { notices: NoticesPage | null }) {
  useLanguage()
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHead title={t('page.licences')} />
      <main className={column()}>
        {notices ? <Found {...notices} /> : <p className="text-muted">{t('page.licences-none')}</p>}
      </main>
    </div>
  )
}

function Found({ version, licence, packages }: NoticesPage) {
  return (
    <>
      <p className="mb-4 text-pretty text-muted">{t('page.licences-about', { version, count: packages.length })}</p>
      <ul className={panel({}, 'overflow-hidden')}>
        <Entry name="Nod" facts={factsOf(version, 'MIT')} text={licence} />
        {packages.map((each) => (
          <Entry key={`${each.name} ${each.version}`} {...each} facts={factsOf(each.version, each.licence)} />
        ))}
      </ul>
    </>
  )
}

const factsOf = (version: string, licence: string): string => t('page.licences-facts', { version, licence })

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
        <summary className="flex items-baseline gap-x-3 px-3.5 py-2 cursor-pointer hover:bg-hover pointer-coarse:py-3">
          <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
          <span className="ms-auto max-w-[60%] flex-none text-end text-sm text-muted tabular-nums">{facts}</span>
          <Icon name="right" className="flex-none self-center text-muted group-open:rotate-90" />
        </summary>
        <div className="border-t border-line px-3.5 py-3 text-sm">
          {servedIn ? <p className="text-muted">{t('page.licences-served', { files: servedIn })}</p> : null}
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

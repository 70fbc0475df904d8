// @vitest-environment node
import { AsyncLocalStorage } from 'node:async_hooks'
import { text } from 'node:stream/consumers'
import { PassThrough } from 'node:stream'
import { Suspense, use } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { expect, it } from 'vitest'
import { type Language, setLocaleStorage, readersLanguage } from '@/lib/base/text/languages'
import { loadMessages } from '@/lib/i18n/load-messages'
import { t } from '@/lib/i18n/t'
import { useLanguage } from '@/components/ui/page/use-language'
import { InLanguage } from './in-language'

setLocaleStorage(new AsyncLocalStorage<Language>())

function Words({ after }: { after?: Promise<void> }) {
  if (after) use(after)
  return <p>{t('frame.send')}</p>
}

function render(language: Language, after: Promise<void>): Promise<string> {
  const out = new PassThrough()
  const { pipe } = renderToPipeableStream(
    <InLanguage language={language} extent="all">
      <Words />
      <Suspense fallback={<i />}>
        <Words after={after} />
        <Suspense fallback={<i />}>
          <Words after={after.then(() => {})} />
        </Suspense>
      </Suspense>
    </InLanguage>,
  )
  pipe(out)
  return text(out)
}

it('renders pages in their readers’ languages at the same time on one server, including streamed parts', async () => {
  await loadMessages('zh-CN', 'all')
  const gate = Promise.withResolvers<void>()
  const languages = ['zh-CN', 'en', 'zh-CN', 'en'] as const
  const pages = languages.map((language) => render(language, gate.promise))
  await new Promise((resolve) => setImmediate(resolve))
  gate.resolve()
  const said = (await Promise.all(pages)).map((html) => html.match(/<p>[^<]*<\/p>/g))
  const [chinese, english] = ['<p>发送</p>', '<p>Send</p>'].map((words) => [words, words, words])
  expect(said).toEqual([chinese, english, chinese, english])
  // Outside a page, the language stays English.
  expect(readersLanguage()).toBe('en')
  expect(t('frame.send')).toBe('Send')
})

/** Like Next when it streams a later part: any request may run the waiting code. */
function handedOver() {
  const waiting: (() => void)[] = []
  const wait = (told: () => void) => void waiting.push(told)
  // oxlint-disable-next-line unicorn/no-thenable -- what React waits for here is no promise of the language
  const promise = { then: wait } as unknown as Promise<void>
  return { promise, tell: () => waiting.splice(0).forEach((told) => told()) }
}

function Top({ after }: { after: Promise<void> }) {
  use(after)
  useLanguage()
  return <Words />
}

it('renders a late part in its page’s language, too', async () => {
  await loadMessages('zh-CN', 'all')
  const { promise, tell } = handedOver()
  const out = new PassThrough()
  const { pipe } = renderToPipeableStream(
    <InLanguage language="zh-CN" extent="all">
      <Suspense fallback={<i />}>
        <Top after={promise} />
      </Suspense>
    </InLanguage>,
  )
  pipe(out)
  await new Promise((resolve) => setImmediate(resolve))
  tell()
  expect(await text(out)).toContain('<p>发送</p>')
})

// @vitest-environment node
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Metadata } from 'next'
import { isValidElement } from 'react'
import { expect, it, vi } from 'vitest'
import { readersLanguage } from '@/lib/base/text/languages'
import { generateMetadata as access } from './access/page'
import { generateMetadata as licences } from './(pages)/licences/page'
import NotFound, { generateMetadata as notFound } from './not-found'

const { asked } = vi.hoisted(() => ({ asked: { current: (): string => 'en' } }))
vi.mock('next/headers', () => ({
  cookies: () => Promise.resolve(new Map()),
  headers: () => Promise.resolve(new Headers({ 'accept-language': asked.current() })),
}))

const request = new AsyncLocalStorage<string>()
asked.current = () => request.getStore() ?? 'en'
const titles = async () => (await Promise.all<Metadata>([access(), licences(), notFound()])).map(({ title }) => title)

it('a window’s title is in its reader’s language, no matter who else is answered at that time', async () => {
  const all = ['zh-TW,en;q=0.5', 'en', 'zh', 'de'].map((languages) => request.run(languages, titles))
  const chinese = ['访问 · Nod', '许可证 · Nod', '未找到 · Nod']
  const english = ['Access · Nod', 'Licenses · Nod', 'Not found · Nod']
  expect(await Promise.all(all)).toEqual([chinese, english, chinese, english])
  expect(readersLanguage()).toBe('en')
})

it('a page’s own title is in that language', async () => {
  const page = await request.run('zh', NotFound)
  expect(isValidElement(page) && JSON.stringify(page.props)).toContain('没有这个页面')
})

import { expect, test } from '@playwright/test'
import { fromMenu } from './support/chat'
import { appUrl } from './support/addresses'

test.use({ locale: 'zh-TW', extraHTTPHeaders: { 'accept-language': 'zh-TW,zh;q=0.9,en;q=0.5' } })

// A browser that requests Chinese gets it from the first byte on: the page, the demo, and errors. It can be changed in
// place.
test('a Chinese reader gets Chinese, switches to English with a draft typed, and the choice is remembered', async ({
  page,
  request,
}) => {
  const problems: string[] = []
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
  page.on('pageerror', (error) => problems.push(error.message))

  // The server's own HTML, before any script.
  const shell = await (await request.get(appUrl)).text()
  expect(shell).toContain('lang="zh-CN"')
  expect(shell).toContain('让任何模型都能用工具')
  expect(shell).not.toContain('Use tools with any model')

  // The page's own texts, too: the window title, and text that no script renders.
  for (const [path, words] of [
    ['/settings', '<title>设置</title>'],
    ['/licences', '<title>许可证 · Nod</title>'],
    ['/nowhere', '没有这个页面'],
    ['/offline', '该页面需要服务器'],
  ] as const) {
    expect(await (await request.get(`${appUrl}${path}`)).text()).toContain(words)
  }

  await page.goto(appUrl)
  const message = page.getByRole('textbox', { name: '消息' })
  await expect(message).toBeEnabled()
  await page.getByRole('button', { name: '写一份行李清单并存成文件' }).click()
  await expect(page.getByRole('log', { name: '消息' })).toContainText('一份周末的行李清单')
  await expect(page.getByRole('log', { name: '消息' })).toContainText('/notes/list.md')

  // In place: the draft stays, nothing reloads, and the chat with its waiting call is unchanged.
  await message.fill('还没写完的话')
  await page.evaluate(() => Object.assign(window, { stays: true }))
  await fromMenu(page, '语言', 'English')
  const field = page.getByRole('textbox', { name: 'Message' })
  await expect(field).toHaveValue('还没写完的话')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('/notes/list.md')
  expect(await page.evaluate(() => Reflect.get(window, 'stays') === true)).toBe(true)

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(field).toHaveValue('还没写完的话')

  await fromMenu(page, 'Language', '中文')
  await expect(message).toHaveValue('还没写完的话')
  await page.goto(`${appUrl}/c/00000000-0000-4000-8000-000000000000`)
  await expect(page.getByText('此对话不存在')).toBeVisible()
  expect(problems.filter((line) => !line.includes('404'))).toEqual([])
})

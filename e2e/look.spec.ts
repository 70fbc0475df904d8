import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { expectReadable, inspect, takePart } from './support/inspect'
import { looks, appearancesOf } from './support/appearances'

// Every screen in light, dark and at a phone's width: no accessibility violations, nothing scrolls sideways. The
// pictures go to test-results/look, from where `npm run generate -- screenshots` takes the README's own.
/** The packages named by the build's source maps, wherever the names are in them. */
function namesInBuild(): readonly string[] {
  const folder = '.next/server/chunks/ssr'
  const maps = readdirSync(folder, { recursive: true }).map(String)
  const texts = maps
    .filter((name) => name.endsWith('.map'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
  const named = texts.flatMap((text) => [...text.matchAll(/node_modules\/((?:(?:@|%40)[\w.-]+\/)?[\w.-]+)\//g)])
  const names = new Set(named.map(([, name = '']) => decodeURIComponent(name)))
  expect(names.size).toBeGreaterThan(50)
  // Next's own maps name one of its developers' folders, `node_modules/src`.
  return [...names].filter((name) => existsSync(path.join('node_modules', name)))
}

for (const view of appearancesOf('light', 'dark', 'phone')) {
  test.describe(view, () => {
    test.use(looks[view])

    test(`the screens are legible and accessible (${view})`, async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await inspect(page, `empty-${view}`)
      await chat.ask('write /notes/plan.md: # Plan\n\n- milk\n- bread')
      await expect(chat.call('write_file')).toContainText('waiting for you')
      await chat.runThrough('write_file')
      await chat.ask('write /notes/plan.md: # Plan\n\n- milk\n- two loaves of bread\n- apples')
      await expect(chat.call('write_file')).toContainText('waiting for you')
      await inspect(page, `waiting-${view}`)
      if (view === 'light') await takePart(page, chat.call('write_file').last(), 'waiting-call')
      await chat.ask('several calls')
      await expect(page.getByText('3 calls are waiting for you').first()).toBeVisible()
      await inspect(page, `batch-${view}`)
      await page.getByRole('button', { name: 'Chat settings' }).click()
      await expect(page.getByRole('dialog', { name: 'Chat settings' })).toBeVisible()
      await inspect(page, `settings-${view}`)
      await page.getByRole('tab', { name: 'Log and data' }).click()
      await page.getByRole('link', { name: 'Licenses', exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
      const pyodide = page.getByRole('group').filter({ hasText: 'pyodide' })
      await pyodide.locator('summary').click()
      await expect(pyodide.getByText('Mozilla Public License').first()).toBeVisible()
      await inspect(page, `licences-${view}`)
      const names = page.getByRole('listitem').locator('summary > :first-child')
      const missing = async () => {
        const listed = await names.allTextContents()
        return namesInBuild().filter((name) => !listed.includes(name))
      }
      await expect.poll(missing).toEqual([])
      await page.goto(`${appUrl}/playground`)
      await expect(page.getByRole('button', { name: 'Run tool', exact: true })).toBeVisible()
      await inspect(page, `playground-${view}`)
    })
  })
}

// The same checks in Chinese: longer or shorter labels, another font, other line breaks.
test.describe('in Chinese', () => {
  test.use({ ...looks.light, locale: 'zh-CN', extraHTTPHeaders: { 'accept-language': 'zh-CN,zh;q=0.9' } })

  test('the main screens are legible and accessible in Chinese', { tag: '@nightly' }, async ({ page }) => {
    const message = page.getByRole('textbox', { name: '消息', exact: true })
    /** Wide and light, then as on a phone in the dark. */
    const both = async (name: string) => {
      await expectReadable(page, name)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectReadable(page, `${name}, dark, on a phone,`)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(looks.light.viewport)
    }
    await page.goto(`${appUrl}/`)
    await expect(message).toBeEnabled()
    await both('empty')
    await page.getByRole('button', { name: '写一份行李清单并存成文件' }).click()
    const run = page.getByRole('button', { name: '运行', exact: true })
    await expect(run.first()).toBeVisible()
    await both('waiting')
    await run.first().click()
    await expect(page.getByRole('article', { name: '助手' })).toHaveCount(2)
    await expect(page.locator('article[aria-busy="true"]')).toHaveCount(0)
    await both('settled')
    await message.fill('several calls')
    await page.getByRole('button', { name: '发送', exact: true }).click()
    await expect(run).toHaveCount(3)
    await both('batch')
    for (const [keys, name] of [
      ['Control+k', '命令面板'],
      ['Control+/', '键盘快捷键'],
    ] as const) {
      await page.keyboard.press(keys)
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await both(name)
      await page.keyboard.press('Escape')
    }
    for (const [button, name] of [
      [/^模型和调用格式/, /模型/],
      ['对话设置', '对话设置'],
      ['分享或导出', '分享或导出'],
    ] as const) {
      await page.getByRole('button', { name: button, ...(typeof button === 'string' && { exact: true }) }).click()
      await expect(page.getByRole('dialog', { name }).first()).toBeVisible()
      await both(String(button))
      if (button === '对话设置')
        for (const tab of await page.getByRole('dialog', { name }).getByRole('tab').all()) {
          await tab.click()
          await both(`${name}, ${(await tab.textContent()) ?? ''}`)
        }
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: '工作区', exact: true }).click()
    await expect(page.getByRole('treeitem').first()).toBeVisible()
    await both('workspace')
    for (const place of ['settings', 'playground', 'lab', 'verify', 'licences', 'offline', 'nowhere']) {
      await page.goto(`${appUrl}/${place}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await both(place)
    }
  })
})

import { expect, test, type Page } from '@playwright/test'
import { appUrl } from './support/addresses'
import { englishLeft } from './support/english-left'
import { startWithAccounts } from './fixtures/start-with-accounts'

test.use({ locale: 'zh-CN', extraHTTPHeaders: { 'accept-language': 'zh-CN,zh;q=0.9' } })

// A walk through the whole product in Chinese: any English text is an error, wherever it is.
const tag = { tag: '@nightly' } as const

/** The replayed replies' text before they failed, written by a model. */
const isReplayed = (text: string): boolean => /^(?:I write it:|This much arrived\.|\{"tool_calls")/.test(text)

/** Checks the page, and reports at the end where English was found. */
function reader(page: Page) {
  const found: string[] = []
  return {
    found,
    async look(place: string, others = ''): Promise<void> {
      for (const text of await englishLeft(page, others)) {
        const line = `${place}: ${text}`
        if (!isReplayed(text) && !found.some((one) => one.endsWith(`: ${text}`))) found.push(line)
      }
    },
  }
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('textbox', { name: '消息', exact: true })).toBeEnabled()
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: '消息', exact: true }).fill(text)
  await page.getByRole('button', { name: '发送', exact: true }).click()
  await expect(page.getByRole('button', { name: '发送', exact: true })).toBeVisible()
  await expect(page.locator('article[aria-busy="true"]')).toHaveCount(0)
}

async function chooseModel(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^模型和调用格式/ }).click()
  await page.getByRole('listbox', { name: '模型' }).getByRole('option', { name }).first().click()
}

test('a chat in Chinese, its cards, its drawers and a model that fails', tag, async ({ page }) => {
  const { found, look } = reader(page)
  await open(page, `${appUrl}/`)
  await look('first screen')
  await page.getByRole('button', { name: /^模型和调用格式/ }).click()
  await expect(page.getByRole('listbox', { name: '模型' })).toBeVisible()
  await look('picker')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: '写一份行李清单并存成文件' }).click()
  const run = page.getByRole('button', { name: '运行', exact: true })
  await expect(run.first()).toBeVisible()
  await look('waiting card')
  await run.first().click()
  await expect(page.getByRole('group', { name: /^工具结果/ }).first()).toBeVisible()
  // The next reply is the demo's, not that of the model which is chosen next.
  await expect(page.getByRole('article', { name: '助手' })).toHaveCount(2)
  await expect(page.locator('article[aria-busy="true"]')).toHaveCount(0)
  await look('card that ran')

  await chooseModel(page, /replay/i)
  for (const fixture of ['failure-401', 'failure-429', 'failure-500', 'dropped', 'error-event', 'too-long', 'stall']) {
    await page.getByRole('textbox', { name: '消息', exact: true }).fill(`fixture:${fixture}`)
    const failures = page.getByRole('heading', { level: 2 }).and(page.locator('article h2'))
    const before = await failures.count()
    await page.getByRole('button', { name: '发送', exact: true }).click()
    await expect(failures).toHaveCount(before + 1, { timeout: 20_000 })
    await expect(page.locator('article[aria-busy="true"]')).toHaveCount(0)
    await look(fixture)
    await expect(page.locator('article h2').last()).toHaveText(/\p{sc=Han}/u)
  }
  await page.getByRole('button', { name: /^模型和调用格式/ }).click()
  await look('picker after a failure')
  await page.getByRole('button', { name: '添加模型…' }).click()
  await expect(page.getByRole('dialog', { name: '模型', exact: true })).toBeVisible()
  await look('dialog of models')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: '对话设置', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: '对话设置' })
  await expect(drawer).toBeVisible()
  for (const tab of await drawer.getByRole('tab').all()) {
    await tab.click()
    await look(`settings, ${(await tab.textContent()) ?? ''}`)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '工作区', exact: true }).click()
  await expect(page.getByRole('treeitem').first()).toBeVisible()
  await look('workspace')
  await page.getByRole('button', { name: '分享或导出', exact: true }).click()
  const out = page.getByRole('dialog', { name: '分享或导出' })
  await out.getByRole('button', { name: '创建链接' }).click()
  const link = out.getByRole('textbox', { name: '分享对话的链接' })
  await expect(link).toHaveValue(/\/s\/[\w-]{32}$/)
  await look('share drawer')
  const shared = await link.inputValue()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: '命令面板' })).toBeVisible()
  await look('palette')
  await page.keyboard.press('Escape')

  await page.goto(shared)
  await expect(page.getByRole('button', { name: '复制为我的对话并继续' })).toBeVisible()
  await look('shared chat')
  expect(found).toEqual([])
})

test('the other pages in Chinese', tag, async ({ page }) => {
  const { found, look } = reader(page)
  await page.goto(`${appUrl}/settings`)
  const tabs = page.getByRole('tab')
  await expect(tabs.first()).toBeVisible()
  for (const tab of await tabs.all()) {
    await tab.click()
    await expect(page.getByText('正在从服务器加载…')).toHaveCount(0)
    await look(`/settings, ${(await tab.textContent()) ?? ''}`)
  }
  await page.goto(`${appUrl}/playground`)
  const examples = page.getByRole('combobox', { name: '加载示例' })
  await examples.selectOption({ index: 1 })
  await expect(page.getByRole('region', { name: '读取结果', exact: true })).toContainText('调用')
  // Model replies for reading, and text sent to models.
  const told = '[aria-label="粘贴的回复"], [aria-label="参数"]'
  await look('playground, reading', told)
  for (const panel of ['运行工具', '提示词', '工具']) {
    await page
      .getByRole('link', { name: panel, exact: true })
      .or(page.getByRole('tab', { name: panel, exact: true }))
      .first()
      .click()
    await look(`playground, ${panel}`, told)
  }
  await page.goto(`${appUrl}/lab`)
  const form = page.getByRole('region', { name: '测试一个模型', exact: true })
  await form.getByRole('combobox', { name: '模型', exact: true }).selectOption({ label: 'replay' })
  await look('lab')
  await form.getByRole('button', { name: '开始', exact: true }).click()
  await expect(page.getByRole('region', { name: '报告', exact: true })).toBeVisible({ timeout: 30_000 })
  await look('lab, report')
  for (const address of ['/offline', '/nowhere', '/c/00000000-0000-4000-8000-000000000000']) {
    await page.goto(`${appUrl}${address}`)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await look(address)
  }
  expect(found).toEqual([])
})

test('accounts, administration and an unreachable model server, in Chinese', tag, async ({ page }) => {
  const { found, look } = reader(page)
  const nod = await startWithAccounts('格蕾丝', {
    // No server listens there.
    NOD_OPENAI_COMPATIBLE_URL: 'http://127.0.0.1:9/v1',
    NOD_OPENAI_COMPATIBLE_NAME: 'Replay',
  })
  const { address } = nod
  try {
    await open(page, `${address}/`)
    await look('first screen')
    await page.getByRole('button', { name: /^模型和调用格式/ }).click()
    await expect(page.getByRole('dialog').getByText(/无法连接 Replay/)).toBeVisible()
    await look('picker')
    await page.keyboard.press('Escape')
    await chooseModel(page, /replay/i)
    await send(page, '你好')
    await expect(page.getByRole('alert').first()).toContainText('无法连接')
    await look('unreachable')

    await page.goto(`${address}/sign-in`)
    await look('sign in')
    await page.getByLabel('电子邮件').fill('nobody@example.com')
    await page.getByLabel('密码').fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert').first()).toBeVisible()
    await look('wrong password')
    await page.goto(`${address}/sign-up`)
    await page.getByLabel('电子邮件').fill('bo@example.com')
    await page.getByLabel('密码').fill('短')
    await page.getByRole('button', { name: '创建账户' }).click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await look('sign up')
    await page.getByLabel('密码').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: '消息', exact: true })).toBeEnabled()
    await page.goto(`${address}/account`)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await look('account')
    await page.getByRole('button', { name: '在此处退出登录' }).click()
    await expect(page.getByRole('textbox', { name: '消息', exact: true })).toBeEnabled()

    await page.goto(`${address}/sign-in`)
    await page.getByRole('button', { name: '使用 Corp 继续' }).click()
    await page.locator('input[name=login]').fill('grace')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]').click()
    await expect(page.getByRole('textbox', { name: '消息', exact: true })).toBeEnabled()
    for (const part of ['', '/accounts', '/invitations', '/audit']) {
      await page.goto(`${address}/admin${part}`)
      await expect(page.getByRole('heading').first()).toBeVisible()
      await look(`/admin${part}`)
    }
    expect(found).toEqual([])
  } finally {
    await nod.close()
  }
})

import { expect, test, type Locator } from '@playwright/test'
import { Chat } from './support/chat'
import { ScriptedChat, write } from './support/scripted-chat'
import { expectTouchable, giveInsets } from './support/touch'

// A phone with a notch and a bar at its bottom: nothing clickable is under them, and everything is as large as a
// fingertip.
const upright = { top: 0, right: 0, bottom: 34, left: 0 }
const lying = { top: 0, right: 47, bottom: 21, left: 47 }

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('a phone’s edges and fingertips', async ({ page }) => {
  const chat = new Chat(page)
  await giveInsets(page, upright)
  await chat.open()
  await expectTouchable(page.locator('body'), upright)
  await chat.ask('write /site/index.html: <h1>Hi</h1><script>document.title = 1</script>')
  await expectTouchable(page.locator('body'), upright)
  await chat.call('write_file').getByRole('button', { name: /^More/ }).tap()
  await expectTouchable(page.getByRole('menu'), upright)
  await page.keyboard.press('Escape')
  await chat.runThrough('write_file')
  await expectTouchable(page.locator('body'), upright)

  await page.getByRole('button', { name: 'Open the list of chats' }).tap()
  const list = page.getByRole('dialog', { name: 'Chats' })
  await expectTouchable(list, upright)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Chat settings' }).tap()
  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  await expectTouchable(settings, upright)
  await page.setViewportSize({ width: 844, height: 390 })
  await giveInsets(page, lying)
  await expectTouchable(settings, lying)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await giveInsets(page, upright)

  await page.getByRole('button', { name: 'Workspace', exact: true }).tap()
  const panel = page.getByRole('dialog', { name: 'Workspace' })
  await panel.getByRole('treeitem', { name: 'index.html' }).tap()
  await expectTouchable(panel, upright)
  await panel.getByRole('button', { name: 'Run this page' }).tap()
  const artifact = page.getByRole('dialog', { name: /index\.html/ })
  await expect(artifact.getByRole('button', { name: 'Ask for a change here' })).toBeVisible()
  await expectTouchable(artifact, upright)
})

test.describe('at 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('every main action is in view, and nothing scrolls sideways', async ({ page }) => {
    const chat = await ScriptedChat.open(page, [
      `A file with a rather long name.\n\n${write('/notes/a-file-with-quite-a-long-name-for-a-phone.md', '# Plan\n\n- milk\n')}`,
      'It is written.\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "/notes/plan.md"}}\n</tool_call>',
    ])
    const fits = async (...actions: readonly Locator[]) => {
      for (const action of actions) await expect(action).toBeInViewport({ ratio: 0.99 })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    }
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const head = [button('Open the list of chats'), chat.picker, button('Workspace'), button('Chat settings')]
    const field = [chat.message, button('More for this message'), button('Send')]
    await fits(...head, ...field)
    const height = async () => (await page.locator('main > header').boundingBox())?.height
    await expect.poll(height).toBeLessThanOrEqual(56)
    // Enter inserts a line break on an on-screen keyboard.
    await chat.message.fill('One')
    await page.keyboard.press('Enter')
    await expect(chat.message).toHaveValue('One\n')
    await chat.message.fill('')
    await button('More for this message').tap()
    await fits(
      page.getByRole('menuitem', { name: 'Attach files' }),
      page.getByRole('menuitem', { name: 'Chat settings' }),
    )
    await page.keyboard.press('Escape')

    await chat.begin()
    const waiting = chat.call('write_file')
    const decisions = ['Run', 'Edit', 'Deny', 'More'].map((name) => waiting.getByRole('button', { name, exact: true }))
    await fits(...head, button('More for this chat'), ...decisions, ...field)
    await decisions[0]?.tap()
    await expect(chat.replies()).toHaveCount(2)
    const done = chat.result('write_file')
    const toMiddle = (target: Locator) => target.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await toMiddle(done.getByRole('button', { name: 'Undo', exact: true }))
    await fits(
      done.getByRole('button', { name: 'Open', exact: true }),
      done.getByRole('button', { name: 'Undo', exact: true }),
    )
    const foreign = chat.call('read_file').getByRole('button', { name: 'Use this call', exact: true })
    await toMiddle(foreign)
    await fits(foreign)

    await button('Chat settings').tap()
    const settings = page.getByRole('dialog', { name: 'Chat settings' })
    const tabs = settings.getByRole('tab')
    await expect(tabs).not.toHaveCount(0)
    const tops = await tabs.evaluateAll((all) => all.map((tab) => Math.round(tab.getBoundingClientRect().top)))
    expect(new Set(tops).size).toBe(1)
    await tabs.last().tap()
    await fits(tabs.last())
    await page.keyboard.press('Escape')
    await button('Open the list of chats').tap()
    const list = page.getByRole('dialog', { name: 'Chats' })
    await fits(list.getByRole('button', { name: 'New chat', exact: true }))
    await list.getByRole('button', { name: 'Settings and tools' }).tap()
    await fits(page.getByRole('menuitem', { name: /^Settings/ }), page.getByRole('menuitem', { name: 'Playground' }))
  })
})

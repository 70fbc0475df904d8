import { expect, test } from '@playwright/test'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

const { formatCalls } = toolContextBuilder.get('JSON_Strict')
const reply = `I write it.\n\n${formatCalls([{ name: 'write_file', arguments: { path: '/pasted.md', content: 'by hand' } }])}\n`

test('any chat, by copy and paste: its prompt is copied there, its call runs here; also offline @nightly', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // The page's policy forbids reading the clipboard, so writes to it are recorded.
  await page.addInitScript(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = (text) => {
      sessionStorage.setItem('copied', text)
      return write(text)
    }
  })
  const chat = new Chat(page)
  const panel = page.getByRole('region', { name: 'Copy and paste' })
  const box = panel.getByRole('textbox', { name: 'Paste its reply here' })
  const use = panel.getByRole('button', { name: 'Use this reply' })
  const copied = async () => {
    await panel.getByRole('button', { name: 'Copy the prompt' }).click()
    await expect(panel.getByRole('button', { name: 'Copied' })).toBeVisible()
    return page.evaluate(() => sessionStorage.getItem('copied'))
  }

  await chat.open()
  await chat.openModelsOfBrowser()
  const models = page.getByRole('dialog', { name: 'Models' })
  await models.getByRole('button', { name: 'Add Any chat (copy and paste)' }).click()
  await expect(models.getByRole('region', { name: 'Models of this browser' })).toContainText('Any chat')
  await page.keyboard.press('Escape')
  await chat.choose('JSON_Strict')
  await chat.send('Put two words into a file')
  const whole = await copied()
  expect(whole).toMatch(/write_file[\s\S]+Put two words into a file$/)
  await expect(use).toBeDisabled()
  await inspect(page, 'paste')

  await test.step('the pasted text survives a reload, for the same prompt', async () => {
    await box.fill('Half of a re')
    await page.reload()
    await chat.replies().last().getByRole('button', { name: 'Retry', exact: true }).click({ timeout: 15_000 })
    await expect(box).toHaveValue('Half of a re')
    expect(await copied()).toBe(whole)
  })

  await test.step('offline the prompt is available and the reply can be pasted; its call is a card once the server is back', async () => {
    await context.setOffline(true)
    await expect(panel.getByRole('status')).toContainText('The server cannot be reached')
    await expect(panel.getByRole('link', { name: 'Open the playground' })).toHaveAttribute('href', /\/playground$/)
    expect(await copied()).toBe(whole)
    await box.fill(reply)
    await use.click()
    await expect(page.getByText('Your text is saved in this tab')).toBeVisible()
    await context.setOffline(false)
    // After too long an outage for the server, the reply is requested again, and the stored text is used.
    const retry = chat.replies().last().getByRole('button', { name: 'Retry', exact: true })
    await expect(retry.or(chat.call('write_file')).first()).toBeVisible({ timeout: 20_000 })
    if (await retry.isVisible()) {
      await retry.click()
      await expect(box).toHaveValue(reply)
      await use.click()
    }
    await chat.settled()
    await chat.run('write_file')
  })

  await test.step('its result is copied back as the new part, and the answer is the next reply', async () => {
    await expect(panel.getByRole('radio', { name: 'New messages' })).toBeChecked()
    const fresh = await copied()
    expect(fresh).toContain('write_file')
    expect(fresh).not.toContain('Put two words into a file')
    await inspect(page, 'paste-result')
    await box.fill('Both words are in it.')
    await box.press('Control+Enter')
    await chat.settled()
    await expect(chat.replies().last()).toContainText('Both words are in it.')
  })
})

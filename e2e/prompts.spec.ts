import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { startToolServer } from './support/tool-server'

test('prompts by a slash and resources by an @: the user’s own, starters, and those of a tool server', async ({
  page,
}) => {
  const maps = await startToolServer()
  maps.letsPagesIn = true
  try {
    const chat = new Chat(page)
    await chat.open()
    const list = page.getByRole('listbox', { name: 'Prompts' })

    await test.step('a starter prompt is filled in, edited in the field, and becomes a preset', async () => {
      await chat.message.fill('/expl')
      await expect(list.getByRole('option')).toHaveCount(1)
      await inspect(page, 'prompt-list')
      await chat.message.press('Enter')
      const form = page.getByRole('dialog', { name: 'Fill in the prompt' })
      await form.getByRole('textbox', { name: 'topic' }).fill('tides')
      await form.getByRole('textbox', { name: 'reader' }).fill('a child')
      await inspect(page, 'prompt-form')
      await form.getByRole('button', { name: 'Insert' }).click()
      await expect(chat.message).toHaveValue(/^Explain tides to a child\./)
      await expect(chat.message).toBeFocused()
      await chat.message.fill('/')
      await expect(list.getByRole('group', { name: 'Your presets' }).getByRole('option')).toHaveText([/^Explain/])
      await chat.message.press('Escape')
      await expect(list).toHaveCount(0)
      await chat.message.fill('')
    })

    await test.step('a tool server is added', async () => {
      await page.getByRole('button', { name: 'Chat settings', exact: true }).click()
      const drawer = page.getByRole('dialog', { name: 'Chat settings' })
      await drawer.getByRole('tab', { name: 'Tools', exact: true }).click()
      await drawer.getByRole('button', { name: 'Tool servers…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Tool servers', exact: true })
      await dialog.getByRole('textbox', { name: 'Address or JSON' }).fill(maps.url)
      await dialog.getByRole('button', { name: 'Test', exact: true }).click()
      await page.getByRole('button', { name: 'Review and add' }).click()
      await page.getByRole('button', { name: 'Approve 2 of 2' }).click()
      await expect(dialog).toContainText('2 tools in use')
      for (const one of [dialog, drawer]) {
        await page.keyboard.press('Escape')
        await expect(one).toHaveCount(0)
      }
    })

    await test.step('its prompt is requested with its argument and inserted into the field', async () => {
      await chat.message.fill('/map')
      await list.getByRole('option', { name: /Show prompts of Map archive/ }).click()
      await list.getByRole('option', { name: /Describe a place/ }).click()
      const form = page.getByRole('dialog', { name: 'Fill in the prompt' })
      await form.getByRole('textbox', { name: 'place' }).fill('Lisbon')
      await form.getByRole('button', { name: 'Insert' }).click()
      await expect(chat.message).toHaveValue('Describe Lisbon with the help of old maps.')
    })

    await test.step('its resource becomes an attachment of the message', async () => {
      await chat.message.pressSequentially(' @')
      const resources = page.getByRole('listbox', { name: 'Resources of tool servers' })
      await resources.getByRole('option', { name: /Show resources of Map archive/ }).click()
      await inspect(page, 'resource-list')
      await resources.getByRole('option', { name: /Index of sheets/ }).click()
      await expect(chat.message).toHaveValue('Describe Lisbon with the help of old maps. ')
      await expect(page.getByRole('main')).toContainText('sheets.md')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(page.getByRole('article', { name: 'You', exact: true })).toContainText('sheets.md')
      await chat.settled()
    })
  } finally {
    await maps.close()
  }
})

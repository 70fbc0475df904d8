import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

// Every screen in light, dark and at a phone's width: no accessibility violations, nothing scrolls sideways. The
// pictures go to test-results/look, from where `npm run screenshots` takes the README's own.
const views = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1280, height: 860 } } },
  { name: 'dark', options: { colorScheme: 'dark', viewport: { width: 1280, height: 860 } } },
  { name: 'phone', options: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true } },
] as const

for (const view of views) {
  test.describe(view.name, () => {
    test.use(view.options)

    test(`the screens are legible and accessible (${view.name})`, async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await inspect(page, `empty-${view.name}`)
      await chat.ask('write /notes/plan.md: # Plan\n\n- milk\n- bread')
      await expect(chat.call('write_file')).toContainText('waiting for you')
      await chat.runThrough('write_file')
      await chat.ask('write /notes/plan.md: # Plan\n\n- milk\n- two loaves of bread\n- apples')
      await expect(chat.call('write_file')).toContainText('waiting for you')
      await inspect(page, `waiting-${view.name}`)
      await chat.ask('several calls')
      await expect(page.getByText('3 calls wait for you').first()).toBeVisible()
      await inspect(page, `batch-${view.name}`)
      await page.getByRole('button', { name: 'Conversation settings' }).click()
      await expect(page.getByRole('dialog', { name: 'Conversation settings' })).toBeVisible()
      await inspect(page, `settings-${view.name}`)
      await page.goto('/playground')
      await expect(page.getByRole('button', { name: 'Run tool', exact: true })).toBeVisible()
      await inspect(page, `playground-${view.name}`)
    })
  })
}

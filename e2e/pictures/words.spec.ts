import { expect, test } from '@playwright/test'
import { takePictures } from '../support/pictures'
import { ScriptedChat } from '../support/scripted-chat'
import { Chat } from '../support/chat'

// The content: Markdown of every kind, thoughts, edits, branches, replies that ended early. For `npm run generate --
// pictures` only.
const views = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1280, height: 860 } } },
  { name: 'phone', options: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true } },
] as const

const prose = `<think>First this, then that.\n\nAnd a second thought.</think>

# One heading

A paragraph with **strong**, *emphasis*, ~~gone~~, \`code\`, a [link](https://example.com/a) and an image ![of a cat](https://example.com/cat.png).

## Two

- one
- two
  - nested
    1. deep
- three

1. first

   with a paragraph
2. second

- [x] done
- [ ] to do

### Three

> A quote
>
> of two paragraphs

---

| Name | Count | Middle |
| :--- | ---: | :---: |
| apples | 12 | a |
| a rather long name of a fruit | 1,204 | \`b\` |

\`\`\`js
// A comment
const answer = { key: 'text', number: 42, yes: true } // and so on, until the line is longer than the column is wide enough to hold
function f(x) { return /ab+c/.test(x) }
\`\`\`

\`\`\`diff
+ added
- removed
\`\`\`

<div>html as it was written</div>

مرحبا بالعالم

#### Four

The end.[^1]

[^1]: A note.`

const long = `Lines:\n\n\`\`\`text\n${Array.from({ length: 400 }, (_, at) => `line ${at + 1}`).join('\n')}\n\`\`\``

for (const view of views) {
  const named = (name: string) => `${name}-${view.name}`

  test.describe(`words, ${view.name}`, () => {
    test.use(view.options)
    test.use({ actionTimeout: 8_000 })
    test.setTimeout(120_000)

    test(`Markdown, thoughts, edits and branches (${view.name})`, async ({ page }) => {
      const chat = await ScriptedChat.open(page, [prose, long])
      await chat.begin()
      await expect(chat.log.getByText('The end.')).toBeVisible()
      await chat.log.evaluate((log) => log.parentElement?.scrollTo(0, 0))
      await takePictures(page, named('prose-top'))
      await chat.log.getByRole('table').scrollIntoViewIfNeeded()
      await takePictures(page, named('prose-table'))
      await chat.log.getByText('The end.').scrollIntoViewIfNeeded()
      await takePictures(page, named('prose-end'))
      await chat.log.getByRole('button', { name: /^Thought/ }).click()
      await chat.log.evaluate((log) => log.parentElement?.scrollTo(0, 0))
      await takePictures(page, named('thought'))
      await chat.ask('go on')
      await takePictures(page, named('fence-long'))
      await page.getByRole('article', { name: 'You' }).last().hover()
      await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
      await expect(page.getByRole('textbox', { name: 'Edited message' })).toBeVisible()
      await takePictures(page, named('message-edit'))
      await page.getByRole('textbox', { name: 'Edited message' }).fill('go on, differently')
      await page.keyboard.press('Enter')
      await expect(chat.log.getByText('2 of 2').first()).toBeVisible()
      await chat.settled()
      await takePictures(page, named('branches'))
    })

    test(`replies that ended early (${view.name})`, async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await chat.send('cut the reply')
      await expect(chat.log).toContainText('was cut off at the length limit')
      await chat.settled()
      await takePictures(page, named('cut'))
      await chat.send('a slow reply, then write a file')
      await expect(chat.replies().last()).toContainText(/\w{3,}/)
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await expect(chat.log).toContainText('You stopped this reply')
      await chat.settled()
      await chat.ask('help')
      await takePictures(page, named('help'))
      const failing = await ScriptedChat.open(page, [])
      await failing.send('fixture:failure-500')
      await expect(page.getByRole('alert').first()).toBeVisible()
      await takePictures(page, named('failed'))
    })
  })
}

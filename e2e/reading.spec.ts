import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { inspect } from './support/inspect'
import { hostileDiagrams, linkedDiagrams, ordinaryDiagrams } from './support/ordinary-diagrams'
import { ScriptedChat } from './support/scripted-chat'

const R = String.raw

/** Policy violations, by the page or frame that caused them. */
async function watchRefusals(page: Page): Promise<() => readonly string[]> {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('refused: ')) refused.push(message.text())
  })
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.info(`refused: ${location.pathname} ${effectiveDirective} ${blockedURI}`),
    ),
  )
  return () => refused
}

const views = [
  ['dark', 1280],
  ['light', 390],
] as const

const code = Array.from({ length: 60 }, (_, line) => `console.log(${line}) // ${'a long line '.repeat(12)}`).join('\n')

const replyText = R`<think>
How shall I say it?
</think>

The roots are \(x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}\), and $\vec{F} = m\vec{a}$. It costs $5 and $10, in $HOME and $PATH; 价格是$5，中文$E=mc^2$中文.

\[
\int_0^\infty e^{-x^2}\,dx

= \frac{\sqrt{\pi}}{2}
\] where \(x\) is real

| n | \(n^2\) | a word | another | more | and more | the last one |
|--:|:-------:|--------|---------|------|----------|--------------|
${Array.from({ length: 40 }, (_, row) => `| ${row} | $${row}^2$ | words | of some length | in a cell | that go on | and on and on |`).join('\n')}

- [x] written
- [ ] read

A note[^one], another[^two], and the first again[^one]. H~2~O and ~~gone~~.

[^one]: The first note.
[^two]: The second, with $y^2$.

هذه فقرة عربية مع كلمة English داخلها، وصيغة $a^2$ أيضا.

שלום עולם, זו פסקה בעברית.

${'```'}js title="src/numbers.js"
${code}
${'```'}
`

test(
  'formulas, tables, footnotes, code and text directions are rendered as intended',
  { tag: '@nightly' },
  async ({ page }, { project }) => {
    const refused = await watchRefusals(page)
    const chat = await ScriptedChat.open(page, [replyText])
    await chat.start()
    await expect(chat.replies()).toHaveCount(1)
    await chat.settled()
    const said = chat.replies().last()

    await expect(said.getByRole('button', { name: /^Thought for / })).toBeVisible()
    await expect(said.locator('[data-formula] .katex').first()).toBeVisible()
    // A formula out of view may wait until it is scrolled to.
    await expect(async () => {
      await said.locator('p', { hasText: 'is real' }).scrollIntoViewIfNeeded({ timeout: 2_000 })
      await expect(said.locator('[data-formula=display] .katex')).toHaveCount(1, { timeout: 1_000 })
    }).toPass()
    await expect(said).toContainText('It costs $5 and $10, in $HOME and $PATH; 价格是$5，中文')
    await expect(said).toContainText('H~2~O')
    await expect.poll(() => page.evaluate(() => document.fonts.check('16px KaTeX_Main'))).toBe(true)

    const table = said.getByRole('group', { name: 'Table, 40 rows, 7 columns' })
    // Blocks stand alone until the text is parsed as a whole, which its footnotes need; then the earlier table is gone.
    await expect(async () => {
      await table.scrollIntoViewIfNeeded({ timeout: 2_000 })
      await table.evaluate((box) => box.scrollTo(0, 600))
      await expect(table.getByRole('columnheader', { name: 'a word' })).toBeInViewport({ timeout: 1_000 })
    }).toPass()
    await expect(said.getByRole('checkbox', { name: 'Done', exact: true })).toBeDisabled()
    await expect(said.getByRole('checkbox', { name: 'Not done' })).not.toBeChecked()

    const before = page.url()
    await said.getByRole('link', { name: 'Footnote 1', exact: true }).first().click()
    const note = said.getByRole('group', { name: 'Footnotes' }).getByRole('listitem').first()
    await expect(note).toBeFocused()
    await note.getByRole('link', { name: 'Back to footnote 1 in the text, use 2' }).click()
    await expect(said.getByRole('link', { name: 'Footnote 1', exact: true }).last()).toBeFocused()
    expect(page.url()).toBe(before)

    for (const words of ['هذه فقرة', 'שלום']) {
      const direction = await said
        .locator('p', { hasText: words })
        .evaluate((paragraph) => [getComputedStyle(paragraph).direction, getComputedStyle(paragraph).textAlign])
      expect(direction).toEqual(['rtl', 'start'])
    }

    // A selection is copied with the formulas as they were written.
    const copied = await said.locator('p', { hasText: 'The roots are' }).evaluate((paragraph) => {
      let text = ''
      addEventListener('copy', (event) => (text = event.clipboardData?.getData('text/plain') ?? ''), { once: true })
      getSelection()?.selectAllChildren(paragraph)
      document.execCommand('copy')
      return text
    })
    expect(copied).toContain(
      R`The roots are \(x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}\), and $\vec{F} = m\vec{a}$.`,
    )

    const block = said.getByRole('figure').filter({ hasText: 'console.log(0)' })
    await block.getByRole('button', { name: 'Wrap long lines' }).click()
    const isWrapped = () => block.locator('pre').evaluate((pre) => pre.scrollWidth <= pre.clientWidth)
    await expect.poll(isWrapped).toBe(true)
    await block.getByRole('button', { name: 'Show all 60 lines' }).click()
    await expect(block).toContainText('console.log(59)')
    const download = page.waitForEvent('download')
    await block.getByRole('button', { name: 'Download as src/numbers.js' }).click()
    expect((await download).suggestedFilename()).toBe('numbers.js')
    expect(await readFile(await (await download).path(), 'utf8')).toBe(code)
    const save = block.getByRole('button', { name: 'Save to workspace' })
    await save.click()
    await expect(block.getByRole('textbox', { name: 'Path in the workspace' })).toHaveValue('src/numbers.js')
    await inspect(page, `reading-${project.name || 'light'}`)
    await block.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(block.getByText('Saved as /src/numbers.js.')).toBeVisible()
    await save.click()
    await save.click()
    await block.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(block.getByRole('alert')).toContainText('/src/numbers.js already exists')
    await block.getByRole('button', { name: 'Cancel' }).click()

    for (const [scheme, width] of views) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 860 })
      await said.locator('p', { hasText: 'The roots are' }).scrollIntoViewIfNeeded()
      await inspect(page, `reading-${scheme}-${width}-top`)
    }
    expect(refused()).toEqual([])
  },
)

const drawing = R`This is how it goes:

${'```'}mermaid
flowchart LR
  A[Start 开始] --> B{Choice}
  B -->|yes| C[(Data)]
  B -->|no| D([End])
${'```'}
`

test('a diagram is drawn as a picture, in both color schemes, and downloaded', async ({ page }) => {
  const refused = await watchRefusals(page)
  const chat = await ScriptedChat.open(page, [drawing])
  await chat.start()
  await expect(chat.replies()).toHaveCount(1)
  await chat.settled()
  const said = chat.replies().last()
  const diagram = said.getByRole('img', { name: 'Diagram, flowchart' })
  for (const [scheme, width] of views) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 860 })
    await expect(diagram).toBeVisible({ timeout: 90_000 })
    await expect.poll(() => diagram.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
    await inspect(page, `diagram-${scheme}-${width}`)
  }
  for (const [name, begins] of [
    ['Download SVG', '<svg'],
    ['Download PNG', '\u{fffd}PNG'],
  ] as const) {
    const download = page.waitForEvent('download')
    await said.getByRole('button', { name }).click()
    expect((await readFile(await (await download).path(), 'utf8')).startsWith(begins)).toBe(true)
  }
  expect(refused()).toEqual([])
})

const fence = (source: string) => ['```mermaid', source, '```'].join('\n')

/**
 * Opens a chat whose reply contains these diagrams, and waits until each is drawn or refused: each starts once it is
 * near the viewport.
 */
async function openDiagrams(page: Page, diagrams: readonly string[]) {
  const chat = await ScriptedChat.open(page, [diagrams.map(fence).join('\n\n')])
  await chat.start()
  await expect(chat.replies()).toHaveCount(1)
  await chat.settled()
  const reply = chat.replies().last()
  // Only a picture has this button; code that waits for its turn has a frame, too.
  const drawn = reply.getByRole('button', { name: 'Source', exact: true })
  const refused = reply.getByText(/^(?:This diagram|Drawing this diagram|The diagram viewer) /)
  await expect(async () => {
    const waiting = reply.getByText('Drawing the diagram…')
    if ((await waiting.count()) > 0) await waiting.first().scrollIntoViewIfNeeded()
    await expect(drawn.or(refused)).toHaveCount(diagrams.length, { timeout: 1_000 })
  }).toPass({ timeout: 300_000 })
  return { chat, drawn }
}

async function expectDrawn(page: Page, diagrams: readonly string[]) {
  const { chat, drawn } = await openDiagrams(page, diagrams)
  await expect(drawn).toHaveCount(diagrams.length)
  await expect(chat.replies().last().getByRole('button', { name: 'Draw' })).toHaveCount(0)
}

test('some ordinary diagrams of different kinds are drawn without a question @nightly', async ({ page }) => {
  await expectDrawn(page, [...linkedDiagrams, ...ordinaryDiagrams.filter((_, at) => at % 6 === 0)])
})

test('fifty ordinary diagrams are drawn without a question', { tag: '@nightly' }, async ({ page }) => {
  test.setTimeout(360_000)
  await expectDrawn(page, ordinaryDiagrams)
})

test('hostile diagrams end with a sentence, and the page keeps working', { tag: '@nightly' }, async ({ page }) => {
  test.setTimeout(360_000)
  const { chat } = await openDiagrams(page, hostileDiagrams)
  await chat.message.fill('still here')
  await expect(chat.message).toHaveValue('still here')
})

const hostile = R`A deep one: $${'\\frac{'.repeat(200)}1${'}{2}'.repeat(200)}$ and a bomb: $\def\a{\a\a}\a$.

A link: $\href{javascript:document.title='owned'}{x}$, HTML: $\text{<img src=x onerror="document.title='owned'">}$ <img src=x onerror="document.title='owned'">.

${R`$\\kern-99em x$ `.repeat(3)}

${'$x$ '.repeat(3_000)}

${'```'}mermaid
gantt
  dateFormat YYYY-MM-DD
  excludes monday, tuesday, wednesday, thursday, friday, saturday, sunday
  section S
  A task :a1, 2026-01-01, 30d
${'```'}

${'```'}mermaid
%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "*{fill:red}"}}%%
flowchart LR
  A["<img src=x onerror=parent.document.title='owned'>"] --> B
  click A href "javascript:parent.document.title='owned'"
${'```'}

${'```'}mermaid
flowchart TD
  A -->
${'```'}
`

test('hostile content is not drawn, or affects only its own place', async ({ page }) => {
  const refused = await watchRefusals(page)
  const chat = await ScriptedChat.open(page, [hostile])
  await chat.start()
  await expect(chat.replies()).toHaveCount(1)
  await chat.settled()
  const said = chat.replies().last()

  // An endless one is aborted, with a message; the page answers meanwhile, and the next ones are drawn.
  const late = said.getByText(/cannot be drawn: Failed to find a valid date/)
  const show = (text: string) =>
    expect(() =>
      said
        .getByText(text)
        .first()
        .evaluate((line) => line.scrollIntoView({ block: 'center' })),
    ).toPass()
  await show('excludes monday')
  await chat.message.fill('still here')
  await expect(chat.message).toHaveValue('still here')
  await expect(late).toBeVisible({ timeout: 60_000 })
  const harmless = said.getByRole('img', { name: 'Diagram, flowchart' })
  await expect(harmless.or(said.getByText('flowchart')).first()).toBeVisible()
  await said.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await expect(harmless).toBeVisible({ timeout: 30_000 })
  await expect(said.getByText(/cannot be drawn: Parse error/)).toBeVisible({ timeout: 30_000 })

  await expect(said.locator('p', { hasText: 'A deep one' })).toContainText(R`\frac{\frac{`)
  expect(await said.locator('[data-formula] :is(a, img, [href], [src])').count()).toBe(0)
  expect(await page.title()).not.toContain('owned')
  expect(refused().filter((one) => !one.startsWith('refused: /diagram.html'))).toEqual([])
})

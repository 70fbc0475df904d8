import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, type FrameLocator, type Page } from '@playwright/test'
import { appUrl, basePath } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { ScriptedChat, write } from './support/scripted-chat'

const frameOf = (page: Page, path: string): FrameLocator => page.frameLocator(`iframe[title="${path}"]`)
/** Works even while another version replaces the frame. */
const expectColour = (frame: FrameLocator, name: string, colour: string) =>
  expect(frame.getByRole('button', { name })).toHaveCSS('background-color', colour)
const [blue, green] = ['rgb(59, 110, 165)', 'rgb(47, 125, 79)']

test('a page is built, run beside the chat, changed while it is shown, asked about, and restored', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await page.getByRole('button', { name: /^Build a small page/ }).click()
  await expect(chat.call('write_file')).toHaveCount(3)
  await page.getByRole('button', { name: 'Run all' }).click()
  await chat.settled()
  await page.getByRole('button', { name: 'Run this page' }).click()
  const panel = page.getByRole('complementary', { name: '/page/index.html, beside the chat' })
  const frame = frameOf(page, '/page/index.html')
  await frame.getByRole('button', { name: 'Count' }).click()
  await expect(frame.getByRole('status')).toHaveText('Pressed once')
  await expectColour(frame, 'Count', blue)

  // A change by the model, after a click, is visible immediately.
  await chat.send('edit /page/style.css: #3b6ea5 => #2f7d4f')
  await chat.runThrough('edit_file')
  await expectColour(frame, 'Count', green)
  await expect(panel.getByText('Version 2 of 2')).toBeVisible()

  await panel.getByRole('button', { name: 'Ask for a change here' }).click()
  await frame.getByRole('button', { name: 'Count' }).click()
  await expect(chat.message).toHaveValue('In /page/index.html, at `#count`:\n> Count\n')
  await expect(chat.message).toBeFocused()
  await inspect(page, 'artifact')

  await panel.getByRole('button', { name: 'Older version' }).click()
  await expectColour(frame, 'Count', blue)
  await panel.getByRole('radio', { name: 'Compare' }).click()
  await expect(panel.getByRole('group', { name: 'From version 1 to now: /page/style.css' })).toContainText('#2f7d4f')
  await panel.getByRole('button', { name: 'Restore this version' }).click()
  await expect(panel.getByText('Version 3 of 3')).toBeVisible()
  await expectColour(frame, 'Count', blue)
  await expect(chat.message).toHaveValue(/#count/)
})

/** Tries each escape, writes the result into the page, and waits to be told to leave, or to hang. */
const hostile = (address: string) => `<pre id="out"></pre>
<button onclick="location.href='${address}?left'">Leave</button><button onclick="setTimeout(() => { for(;;); }, 100)">Hang</button>
<button id="submit">Submit</button><button id="download">Download</button>
<input id="keys" aria-label="Keys" autofocus><label id="for-keys" for="keys">Keys</label><button onclick="steal()">Steal</button>
<script>
setInterval(() => { window.focus(); keys.focus(); keys.select(); document.getElementById('for-keys').click() }, 10)
// Past what the frame’s own script sees to.
const steal = () => setTimeout(() => setInterval(() => {
  keys.blur()
  document.getElementById('for-keys').dispatchEvent(new MouseEvent('click'))
}, 10), 500)
</script>
<script type="module">
const out = document.getElementById('out')
const said = []
const attempt = async (name, work) => {
  try { said.push(name + ': ' + await work()) } catch (error) { said.push(name + ': ' + error.name) }
}
const later = (ms) => new Promise((done) => setTimeout(done, ms))
await attempt('fetch', () => fetch('${address}?fetch', { mode: 'no-cors' }).then(() => 'got through'))
await attempt('own', () => fetch('${basePath}/api/models').then(({ status }) => status))
await attempt('socket', () => new Promise((done) => {
  const socket = new WebSocket('${address.replace('http', 'ws')}')
  socket.onopen = () => done('got through')
  socket.onerror = () => done('refused')
}))
await attempt('worker', () => new Promise((done) => {
  const code = 'fetch("${address}?worker").catch(() => importScripts("${address}?script"))'
  const worker = new Worker(URL.createObjectURL(new Blob([code + '.then(() => postMessage("got through"), () => postMessage("refused"))'])))
  worker.onmessage = ({ data }) => done(data)
}))
navigator.sendBeacon('${address}?beacon')
for (const [tag, name] of [['img', 'src'], ['script', 'src'], ['iframe', 'src'], ['link', 'href'], ['object', 'data']]) {
  const element = document.createElement(tag)
  element.rel = 'stylesheet'
  element[name] = '${address}?' + tag
  document.body.append(element)
}
const form = document.createElement('form')
form.action = '${address}?form'
document.body.append(form)
form.onsubmit = (event) => event.stopImmediatePropagation()
document.getElementById('submit').onclick = () => form.requestSubmit()
const link = document.createElement('a')
link.href = 'data:text/plain,secret'
link.download = 'secret.txt'
document.getElementById('download').onclick = () => link.click()
await attempt('popup', () => String(window.open('${address}?popup')))
await attempt('dialog', () => String(confirm('?')))
await attempt('parent', () => parent.document.title)
await attempt('top', () => { top.location.href = '${address}?top' })
await attempt('database', () => { indexedDB.open('x') ; return 'opened' })
await attempt('cookie', () => document.cookie)
localStorage.setItem('left', 'behind')
parent.postMessage({ type: 'nod-run-hello', isApart: true }, '*')
await later(300)
out.textContent = said.join('\\n')
</script>`

test(
  'a page starts again where a narrower window moves it, and is not said to have left',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = await ScriptedChat.open(page, [write('/index.html', '<h1>Tides</h1>'), 'Done.'])
    await chat.begin()
    await chat.runThrough('write_file')
    await page.getByRole('button', { name: 'Run this page' }).click()
    const heading = frameOf(page, '/index.html').getByRole('heading', { name: 'Tides' })
    await expect(heading).toBeVisible()
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await expect(heading).toBeVisible()
      await expect(page.getByText('The page tried to open another address')).toHaveCount(0)
    }
  },
)

test('a page reaches nothing but itself, and ends when it hangs', async ({ page, context }) => {
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end('x')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  page.on('download', ({ url }) => reached.push(`download ${url()}`))
  page.on('dialog', (dialog) => {
    reached.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  const chat = await ScriptedChat.open(page, [write('/evil.html', hostile(address)), 'Written.'])
  await chat.begin()
  await chat.runThrough('write_file')
  const url = page.url()
  await page.getByRole('button', { name: 'Run this page' }).click()
  const frame = frameOf(page, '/evil.html')
  await expect(frame.locator('#out')).toContainText('cookie')
  const lines = async () => (await frame.locator('#out').textContent())?.split('\n')
  await expect.poll(lines).toEqual([
    'fetch: TypeError',
    // From the files, which have none of this name.
    'own: 404',
    expect.stringMatching(/^socket: (?:refused|SecurityError)$/),
    'worker: refused',
    'popup: null',
    'dialog: false',
    'parent: SecurityError',
    'top: SecurityError',
    'database: SecurityError',
    'cookie: SecurityError',
  ])
  const panel = page.getByRole('complementary', { name: '/evil.html, beside the chat' })
  await panel.getByRole('button', { name: /^Console/ }).click()
  await expect(panel.getByRole('group', { name: 'Page output' })).toContainText(`Blocked: ${address}`)
  await panel.getByRole('button', { name: 'Add to the message' }).click()
  await expect(chat.message).toHaveValue(
    /^The page \/evil\.html printed this \(text from the page itself\):\n```text\n/,
  )

  // The focus stays where the user is, with the pointer over the page, and right after a press in it.
  await chat.message.fill('')
  await frame.getByText('Keys').hover()
  await chat.message.focus()
  await page.keyboard.type('my bank password', { delay: 20 })
  await expect(chat.message).toHaveValue('my bank password')
  await frame.getByLabel('Keys').click()
  await page.keyboard.type('for the page')
  await expect(frame.getByLabel('Keys')).not.toHaveValue('')
  await chat.message.click()
  await page.keyboard.type(' and more', { delay: 20 })
  await expect(chat.message).toHaveValue('my bank password and more')
  await frame.getByRole('button', { name: 'Steal' }).click()
  await chat.message.click()
  await page.keyboard.type(' after all', { delay: 20 })
  await expect(chat.message).toHaveValue('my bank password and more after all')
  await expect(chat.message).toBeFocused()

  // A form that stops its own submit event bypasses later handlers: it ends like any other escape.
  for (const name of ['Leave', 'Submit']) {
    await frame.getByRole('button', { name }).click()
    await expect(panel.getByText('The page tried to open another address and was stopped.')).toBeVisible()
    await panel.getByRole('button', { name: 'Run again' }).click()
  }
  await frame.getByRole('button', { name: 'Hang' }).click()
  await expect(panel.getByText('The page did not respond for')).toBeVisible({ timeout: 40_000 })
  await panel.getByRole('button', { name: 'Run again' }).click()
  await expect(frame.locator('#out')).toContainText('cookie')
  await frame.getByRole('button', { name: 'Download' }).click()
  await chat.message.fill('It is still here.')

  expect(reached).toEqual([])
  expect(page.url()).toBe(url)
  expect(context.pages()).toHaveLength(1)
  expect(await page.evaluate(() => localStorage.getItem('left'))).toBeNull()
  server.close()
})

test('a site of several files can be navigated, with its pages’ requests and forms @nightly', async ({ page }) => {
  const pageOf = (body: string) => `<title>${body}</title><h1>${body}</h1><p id="said"></p>`
  const chat = await ScriptedChat.open(page, [
    [
      write(
        '/site/index.html',
        `${pageOf('Home')}<a href="about%20us.html?from=home#end">About</a><script>
const worker = new Worker('sum.js', { type: 'module' })
worker.onmessage = ({ data }) => { said.textContent = 'The sum is ' + data }
fetch('data.json').then((answer) => answer.json()).then((numbers) => worker.postMessage(numbers))
</script>`,
      ),
      write('/site/data.json', '[1, 2, 3]'),
      write('/site/sum.js', "import { sum } from './lib/sum.js'\nonmessage = ({ data }) => postMessage(sum(data))"),
      write('/site/lib/sum.js', 'export const sum = (numbers) => numbers.reduce((one, other) => one + other)'),
      write(
        '/site/about us.html',
        `${pageOf('About')}<form><input name="q" aria-label="Word"><button>Look</button></form><script>said.textContent = location.search + location.hash</script>`,
      ),
    ].join('\n'),
    'Written.',
  ])
  await chat.begin()
  await page.getByRole('button', { name: 'Run all' }).click()
  await chat.settled()
  await page.getByRole('button', { name: 'Run index.html' }).click()
  await expect(frameOf(page, '/site/index.html').locator('#said')).toHaveText('The sum is 6')
  await frameOf(page, '/site/index.html').getByRole('link', { name: 'About' }).click()
  const about = frameOf(page, '/site/about us.html')
  await expect(about.locator('#said')).toHaveText('?from=home#end')
  await about.getByRole('textbox', { name: 'Word' }).fill('a&b')
  await about.getByRole('button', { name: 'Look' }).click()
  await expect(about.locator('#said')).toHaveText('?q=a%26b')
  await page.getByRole('button', { name: 'Back to about us.html?from=home#end' }).click()
  await page.getByRole('button', { name: 'Back to index.html' }).click()
  await expect(frameOf(page, '/site/index.html').locator('#said')).toHaveText('The sum is 6')
})

test.describe('in Chinese, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 390, height: 844 } })
  test(
    'a page is built, runs in a sheet, and an element of it is quoted in the message',
    { tag: '@nightly' },
    async ({ page }) => {
      await page.goto(appUrl)
      const message = page.getByRole('textbox', { name: '消息' })
      await expect(message).toBeEnabled()
      await page.getByRole('button', { name: /^做一个带计数按钮的小网页/ }).click()
      await page.getByRole('button', { name: '全部运行' }).click()
      await page.getByRole('button', { name: '运行此网页' }).click()
      const frame = frameOf(page, '/page/index.html')
      await frame.getByRole('button', { name: '计数' }).click()
      await expect(frame.getByRole('status')).toHaveText('已点击 1 次')
      await inspect(page, 'artifact-zh-phone')
      await page.getByRole('button', { name: '在此处请求修改' }).click()
      await frame.getByRole('heading', { name: '一个小网页' }).click()
      // The sheet has closed, so that the field is visible.
      await expect(frame.getByRole('heading')).toHaveCount(0)
      await expect(message).toHaveValue('在 /page/index.html 中，`body > main > h1` 处：\n> 一个小网页\n')
    },
  )
})

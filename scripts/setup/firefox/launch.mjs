#!/usr/bin/env node
/*
 * Started by Playwright as if it were Firefox; it is a proxy between the two. A released Firefox is driven by WebDriver
 * BiDi, where two things go wrong: Playwright sets each context's media features, a command that this Firefox does not
 * support, and it fills fields by setting `value`, which React does not notice. The first command is answered here,
 * because reduced motion is a profile setting (`playwright.config.ts`); the second is done as typing does it.
 */
import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { readFrames, textFrame } from './ws-frames.mjs'

const notKnown = 'emulation.setMediaFeaturesOverride'
const filled = '(text) => bidiInsertText(window, text)'
const typed =
  "(text) => document.activeElement?.localName === 'iframe' ? bidiInsertText(window, text) : void document.execCommand('insertText', false, text)"
const announcement = /WebDriver BiDi listening on ws:\/\/([\d.]+):(\d+)/

const firefox = spawn(process.env.FIREFOX_PATH, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.once('exit', (code) => process.exit(code ?? 1))
firefox.once('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => firefox.kill(signal))

let said = ''
firefox.stderr.on('data', (chunk) => {
  const found = said === null ? null : announcement.exec((said += chunk))
  if (found === null) return void process.stderr.write(chunk)
  said = null
  const [, host, port] = found
  const server = createServer((client) => join(client, host, Number(port)))
  server.listen(0, '127.0.0.1', () =>
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`),
  )
})

const asTyped = (payload) => textFrame(payload.toString().replace(filled, typed), { isMasked: true })

/** One connection: forwards the web socket request as if it were for Firefox's own port, then the frames. */
function join(client, host, port) {
  const browser = connect(port, host)
  for (const [one, other] of [
    [client, browser],
    [browser, client],
  ]) {
    one.once('close', () => other.destroy())
    one.on('error', () => other.destroy())
  }
  let asked = Buffer.alloc(0)
  let isOpen = false
  const passOn = readFrames(({ bytes, payload }) => {
    // Firefox's frames go to the client as they come; one of ours must not be inserted in the middle of a message.
    const text = payload.includes(notKnown) ? JSON.parse(payload.toString()) : null
    if (text?.method === notKnown) between.push(textFrame(JSON.stringify({ type: 'success', id: text.id, result: {} })))
    else browser.write(payload.includes(filled) ? asTyped(payload) : bytes)
    flush()
  })
  client.on('data', (chunk) => {
    if (isOpen) return passOn(chunk)
    asked = Buffer.concat([asked, chunk])
    const end = asked.indexOf('\r\n\r\n')
    if (end < 0) return
    isOpen = true
    const head = asked.subarray(0, end + 4).toString('latin1')
    // Without extensions, because compressed frames can't be read here.
    const plain = head.replace(/^host:.*$/im, `Host: ${host}:${port}`).replace(/^sec-websocket-extensions:.*\r\n/im, '')
    browser.write(plain, 'latin1')
    passOn(asked.subarray(end + 4))
  })

  const between = []
  let isUpgraded = false
  let answered = Buffer.alloc(0)
  let isInMessage = false
  const flush = () => {
    if (isUpgraded && !isInMessage) for (const frame of between.splice(0)) client.write(frame)
  }
  const passBack = readFrames(({ bytes, opcode, isLast }) => {
    client.write(bytes)
    // Control frames may be within a message, and don't end it.
    if (opcode < 8) isInMessage = !isLast
    flush()
  })
  browser.on('data', (chunk) => {
    if (isUpgraded) return passBack(chunk)
    answered = Buffer.concat([answered, chunk])
    const end = answered.indexOf('\r\n\r\n')
    if (end < 0) return
    isUpgraded = true
    client.write(answered.subarray(0, end + 4))
    passBack(answered.subarray(end + 4))
    flush()
  })
}

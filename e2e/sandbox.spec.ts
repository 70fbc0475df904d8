import { expect, test } from '@playwright/test'
import { appUrl, basePath } from './support/addresses'
import { Chat } from './support/chat'

// The full containment suite runs against the frame itself (lib/sandbox); here the product is checked as it is served.
const attacks: [string, string][] = [
  [
    'network',
    `return await fetch("${basePath}/api/conversations").then(() => "REACHED", (e) => "contained: " + e.name)`,
  ],
  ['parent', 'try { return String(parent.document.title) } catch (e) { return "contained: " + e.name }'],
  ['storage', 'try { return String(localStorage.length) } catch (e) { return "contained: " + e.name }'],
]

test('model-written code is contained and the page stays usable', async ({ page }) => {
  await page.goto(`${appUrl}/playground`)
  const outcome = page.getByRole('region', { name: 'Outcome' })
  const args = page.getByRole('textbox', { name: 'Arguments (JSON)' })
  await page.getByRole('combobox', { name: 'Tool', exact: true }).selectOption('browser_js_eval')
  const runIt = async () => {
    await page.getByRole('button', { name: 'Run tool', exact: true }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
  }
  for (const [name, code] of attacks) {
    await args.fill(JSON.stringify({ code }))
    await runIt()
    await expect(outcome, name).toContainText('contained')
    await expect(outcome, name).not.toContainText('REACHED')
  }
  await args.fill(JSON.stringify({ code: 'for (;;) {}' }))
  await runIt()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(outcome).toContainText('cancelled')
  await args.fill(JSON.stringify({ code: 'return 6 * 7' }))
  await runIt()
  await expect(outcome).toContainText('42')
  await args.fill('{"code": ')
  await page.getByRole('button', { name: 'Run tool', exact: true }).click()
  await expect(page.getByRole('alert').or(outcome).first()).toContainText(/JSON/)
  await expect(args).toHaveValue('{"code": ')
})

test('an endless loop in a chat is stopped by a click, and the chat continues', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('compute (() => { for (;;) {} })()')
  await chat.run('browser_js_eval')
  const card = chat.call('browser_js_eval')
  await expect(card).toContainText('running')
  // The light moves along the card's edge, and is hidden for users who prefer reduced motion.
  const light = card.locator('[data-sweep]')
  const moves = () => light.evaluate((element) => element.getAnimations().some((one) => one.playState === 'running'))
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await moves()).toBe(true)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(light).toBeHidden()
  expect(await moves()).toBe(false)
  await card.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('group', { name: /browser_js_eval/ })).toContainText('stopped')
})

test('headers: strict policy on pages, a sealed frame, no script without a nonce', async ({ page, request }) => {
  const home = await request.get(appUrl)
  const policy = home.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'/)
  expect(policy).not.toContain('unsafe')
  expect(home.headers()['x-content-type-options']).toBe('nosniff')
  expect(home.headers()['referrer-policy']).toBeTruthy()
  expect(home.headers()['permissions-policy']).toContain('camera=()')
  const frame = await request.get(`${appUrl}/sandbox.html`)
  expect(frame.headers()['content-security-policy']).toContain("connect-src 'none'")
  expect(frame.headers()['content-security-policy']).toContain('sandbox allow-scripts')
  expect(frame.headers()['connection-allowlist']).toBe('()')
  const health = await request.get(`${appUrl}/api/ready`)
  expect(await health.json()).toMatchObject({ status: 'ok', store: 'sqlite' })
  // The policy refuses eval from the page's own world.
  await page.goto(appUrl)
  const evaluated = await page.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => {
          try {
            const evaluate = Reflect.get(globalThis, 'eval') as (code: string) => unknown
            resolve(evaluate('1 + 1'))
          } catch (error) {
            resolve((error as Error).name)
          }
        })
      }),
  )
  expect(evaluated).toBe('EvalError')
})

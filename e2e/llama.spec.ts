import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { startWeightsServer } from '@/lib/client/browser-models/wllama/testing/browser-suite/servers'
import { ggufBytes, tinyShape } from '@/lib/client/browser-models/wllama/testing/write-gguf'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'

// The browser itself runs the model: random weights that load, stream and stop like others.
test('a model is downloaded, writes in a chat, is stopped in its prompt, survives a reload, and is removed', async ({
  page,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nod-llama-'))
  const weights = await startWeightsServer(folder)
  try {
    // A prompt is processed character by character: thousands of them, which takes seconds. The reply ends at random,
    // after about 150 characters, rarely after a few.
    const shape = { ...tinyShape, trainedTokens: 32_768, bias: { bytes: -6, end: -0.5, words: 0 } }
    await writeFile(path.join(folder, 'random.gguf'), ggufBytes(shape))
    const chat = new Chat(page)
    // The tools' prompt is processed character by character, too, which takes a while on a busy machine. Nothing is
    // counted, because just after a reload the thread is empty for a moment, and messages out of view are not in the
    // page.
    const send = async (text: string) => {
      await chat.send(text)
      await expect(page.getByRole('article', { name: 'You' }).last()).toContainText(text.slice(0, 15))
      await expect(page.getByRole('article').last()).toHaveAccessibleName('Assistant')
    }
    const ask = async (text: string) => {
      await send(text)
      await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible({ timeout: 60_000 })
    }
    const opened = await page.goto(appUrl)
    // The worker's policy differs from the page's.
    const policyOf = async (address: string) => (await page.request.get(address)).headers()['content-security-policy']
    expect(opened?.headers()['content-security-policy']).not.toMatch(/wasm-unsafe-eval|127\.0\.0\.1/)
    expect(await policyOf('/workers/wllama.js')).toMatch(
      /'wasm-unsafe-eval'.*connect-src 'self' http:\/\/127\.0\.0\.1:\*/,
    )
    expect(await policyOf('/workers/vfs.js')).not.toContain('wasm')

    await expect(chat.message).toBeEnabled()
    await chat.openModelsOfBrowser()
    const models = page.getByRole('dialog', { name: 'Models' })
    await models.getByRole('textbox', { name: 'Address of a GGUF file' }).fill(`${weights.url}/random.gguf`)
    await models.getByRole('button', { name: 'Check' }).click()
    await expect(models).toContainText(/random\.gguf, \d+(\.\d)? KB/)
    await models.getByRole('button', { name: 'Download and add' }).click()
    await expect(models.getByRole('button', { name: 'Remove random.gguf' })).toBeVisible()
    await page.keyboard.press('Escape')

    await ask('hello')
    await expect(chat.replies().last()).toContainText(/\S/)
    await page.reload()
    weights.asked.length = 0
    await ask('again')
    expect(weights.asked).toEqual([])

    await send(`read this first: ${'words '.repeat(600)}`)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await chat.settled()

    await chat.openModelsOfBrowser()
    await models.getByRole('button', { name: 'Remove random.gguf' }).click()
    await expect(models.getByRole('button', { name: 'Remove random.gguf' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.reload()
    await ask('gone?')
    await expect(chat.replies().last()).toContainText('no longer in this browser')
  } finally {
    await weights.close()
    await rm(folder, { recursive: true, force: true })
  }
})

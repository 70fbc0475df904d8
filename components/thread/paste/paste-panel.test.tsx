// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPasteQueue, createPastedDrafts, createPastedChats } from '@/lib/client/browser-models/paste/paste-queue'
import PastePanel from './paste-panel'

const wired = vi.hoisted(() => ({ settled: Promise.withResolvers<boolean>() }))
vi.mock('@/lib/client/wiring/models/tab-models.browser', () => ({
  pasteQueue: createPasteQueue(),
  pastedDrafts: createPastedDrafts(null),
  pastedChats: createPastedChats(null),
  localModelsReady: () => wired.settled.promise,
}))

afterEach(() => {
  cleanup()
  wired.settled = Promise.withResolvers<boolean>()
})

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Paste its reply here' })

/** Sends the request and renders what replaces the reply. */
async function ask(runId: string, prompt: LanguageModelV4Prompt) {
  const { pasteQueue } = await import('@/lib/client/wiring/models/tab-models.browser')
  const words = pasteQueue.ask({ runId, prompt })
  render(<PastePanel runId={runId} online />)
  return words
}

describe('a reply by copy and paste', () => {
  it.each([
    [true, ''],
    [false, 'The whole reply.'],
  ])('keeps the pasted text until the server has it (taken: %s)', async (taken, kept) => {
    const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: `Taken: ${taken}` }] }]
    const words = ask('r1', prompt)
    const user = userEvent.setup()
    await screen.findByRole('button', { name: 'Use this reply' })
    await user.click(box())
    await user.paste('The whole reply.')
    await user.click(screen.getByRole('button', { name: 'Use this reply' }))
    expect(await words).toBe('The whole reply.')
    await act(async () => {
      wired.settled.resolve(taken)
      await wired.settled.promise
    })
    cleanup()
    void ask('r2', prompt)
    await screen.findByRole('button', { name: 'Use this reply' })
    expect(box().value).toBe(kept)
  })

  it('stays visible without a server: says so, accepts the paste, and says when it is sent', async () => {
    const { pasteQueue } = await import('@/lib/client/wiring/models/tab-models.browser')
    const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Offline' }] }]
    const gone = new AbortController()
    pasteQueue.ask({ runId: 'r', prompt }, gone.signal).catch(() => {})
    const { rerender } = render(<PastePanel runId="r" online />)
    expect(screen.queryByText(/cannot be reached/)).toBeNull()
    expect(screen.queryByRole('link')).toBeNull()
    rerender(<PastePanel runId="r" online={false} />)
    expect(screen.getByRole('status').textContent).toMatch(/cannot be reached\. You can still copy the prompt/)
    const beside = () => screen.getByRole('link', { name: 'Open the playground in a new tab' })
    expect(beside().getAttribute('href')).toMatch(/\/playground$/)
    // Without its server, the tab aborts the reply: no request is waiting then.
    await act(async () => {
      gone.abort('given up')
      wired.settled.resolve(false)
      await wired.settled.promise
    })
    const user = userEvent.setup()
    await user.click(box())
    await user.paste('Brought offline.')
    await user.click(screen.getByRole('button', { name: 'Use this reply' }))
    expect(screen.getByRole('status').textContent).toMatch(
      /^The server cannot be reached\. Your text is saved in this tab/,
    )
    expect(beside()).toBeTruthy()
    cleanup()
    void pasteQueue.ask({ runId: 'again', prompt })
    render(<PastePanel runId="again" online />)
    expect(box().value).toBe('Brought offline.')
  })

  it('says that another tab was asked only if that is true', async () => {
    render(<PastePanel runId="of another tab" online />)
    await act(async () => {
      wired.settled.resolve(true)
      await wired.settled.promise
    })
    expect(screen.getByRole('status').textContent).toMatch(/in another tab/)
  })
})

// @vitest-environment jsdom
import { File as StreamedFile } from 'node:buffer'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import type { BrowserModelConfig } from '@/lib/client/browser-models/browser-model'
import type { WasmPort } from '@/lib/client/browser-models/wllama/weights/memory'
import type { WllamaPage } from '@/lib/client/browser-models/wllama/page.browser'
import type { StoredWeights, WllamaWorkerRequest, WllamaNotice } from '@/lib/client/browser-models/wllama/protocol'
import { createMemoryPlace } from '@/lib/client/browser-models/wllama/testing/memory-store'
import { ggufBytes, tinyShape } from '@/lib/client/browser-models/wllama/testing/write-gguf'
import { storeFile } from '@/lib/client/browser-models/wllama/weights/fetch-weights'
import { weightsFile } from '@/lib/client/browser-models/wllama/weights/weights-store'
import { makeError } from '@/lib/i18n/t'
import { LlamaForm } from './llama-form'

afterEach(cleanup)

const model = ggufBytes(tinyShape)
const never = new AbortController().signal
/** A browser that supports everything llama.cpp needs; Node lacks some of it. */
const able: WasmPort = {
  WebAssembly: { validate: () => true, Memory: Object as unknown as typeof WebAssembly.Memory, Suspending: Map },
}

/** Sets up the page's engine with a worker that stores its files; `answer` responds to requests. */
function setUp(answer: (ask: WllamaWorkerRequest, onTold: (told: WllamaNotice) => void) => Promise<unknown>) {
  const place = createMemoryPlace()
  const added: BrowserModelConfig[] = []
  const picked: File[] = []
  const ports = { place, free: () => Promise.resolve(null) }
  // jsdom's files can't be read as streams.
  const keep = async (file: File): Promise<StoredWeights> => {
    const streamed = new StreamedFile([new Uint8Array(await file.arrayBuffer())], file.name, { lastModified: 1 })
    return storeFile(ports, streamed as unknown as File, () => {}, never)
  }
  const page = {
    place: () => Promise.resolve(place),
    runner: { isLoadedFrom: () => false },
    client: {
      ask: (ask: WllamaWorkerRequest, { onTold = () => {} }: { onTold?: (told: WllamaNotice) => void } = {}) =>
        ask.ask === 'keep' ? keep(ask.file) : answer(ask, onTold),
    },
    persist: () => Promise.resolve(true),
    pick: (file: File) => void picked.push(file),
    file: (source: { kind: string; id?: string; name: string }) =>
      source.kind === 'kept'
        ? weightsFile(place, { id: source.id ?? '', name: source.name })
        : Promise.resolve(picked.at(-1)),
  } as unknown as WllamaPage
  const form = (wasm = able) => (
    <LlamaForm page={page} wasm={wasm} onAdd={(config) => Promise.resolve(void added.push(config))} />
  )
  const show = (wasm = able) => render(form(wasm))
  return { show, form, added, keep }
}

const type = (words: string) => userEvent.type(screen.getByRole('textbox', { name: 'Address of a GGUF file' }), words)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('a model that runs in this browser', () => {
  it('shows the size of the model at its address before it is downloaded and added', async () => {
    const asked: string[] = []
    const { show, added, keep } = setUp(async (ask) => {
      asked.push(ask.ask)
      if (ask.ask === 'look') return { name: 'tiny.gguf', address: ask.address, bytes: model.length, keptBytes: 0 }
      return keep(new File([model], 'tiny.gguf'))
    })
    show()
    await type('https://huggingface.co/tiny.gguf')
    await press('Check')
    expect(await screen.findByText(/^tiny\.gguf, 50\d(\.\d)? KB\.$|^tiny\.gguf, 48\d(\.\d)? KB\.$/)).toBeDefined()
    expect([asked, added]).toEqual([['look'], []])
    await press('Download and add')
    expect(await screen.findByRole('button', { name: 'Remove tiny.gguf' })).toBeDefined()
    expect(added).toEqual([
      expect.objectContaining({ kind: 'wllama', label: 'tiny', contextTokens: 4096, server: null }),
    ])
  })

  it('says why the model can’t be loaded, and stays usable', async () => {
    const { show, added } = setUp(() =>
      Promise.reject(makeError('forbidden', 'wllama.host-not-allowed', { host: 'x.com', hosts: 'huggingface.co' })),
    )
    show()
    await type('https://x.com/tiny.gguf')
    await press('Check')
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /only from huggingface\.co, not from x\.com\. Download/,
    )
    const field = screen.getByRole('textbox', { name: 'Address of a GGUF file' })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const said = document.getElementById(field.getAttribute('aria-describedby') ?? '')
    expect(said).toBe(screen.getByRole('alert'))
    expect(said?.closest('form')).toBe(field.closest('form'))
    expect(screen.getByRole('button', { name: 'Choose a file', description: 'Or a file on your disk' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Download and add' })).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Check' }).disabled).toBe(false)
    expect(added).toEqual([])
  })

  it('loads a file from the disk, or copies it on request, and can remove the copy', async () => {
    const { show, added } = setUp(() => Promise.reject(new Error('not asked')))
    show()
    const field = screen.getByLabelText('Or a file on your disk')
    await userEvent.upload(field, new File([model], 'mine.gguf'))
    await expect.poll(() => added.length).toBe(1)
    await expect.poll(() => (field as HTMLInputElement).disabled).toBe(false)
    expect(added[0]?.options).toMatchObject({ source: { kind: 'picked', name: 'mine.gguf', bytes: model.length } })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Keep a copy in this browser' }))
    await userEvent.upload(field, new File([model], 'mine.gguf'))
    await expect.poll(() => added.length).toBe(2)
    await expect
      .poll(() => screen.queryByRole<HTMLButtonElement>('button', { name: 'Remove mine.gguf' })?.disabled)
      .toBe(false)
    await press('Remove mine.gguf')
    await expect.poll(() => screen.queryByRole('button', { name: 'Remove mine.gguf' })).toBeNull()
    expect(added[1]?.options).toMatchObject({ source: { kind: 'kept', name: 'mine.gguf' } })
  })

  it('refuses a file that is not a model', async () => {
    const { show, added } = setUp(() => Promise.reject(new Error('not asked')))
    show()
    await userEvent.upload(screen.getByLabelText('Or a file on your disk'), new File(['hello'], 'mine.gguf'))
    const said = await screen.findByRole('alert')
    expect(said.textContent).toContain('mine.gguf is not a GGUF file')
    expect(screen.getByRole('button', { name: 'Choose a file' }).getAttribute('aria-describedby')).toContain(said.id)
    expect(added).toEqual([])
  })

  it('names what the browser lacks, and lets stored models be removed', async () => {
    const { show, keep } = setUp(() => Promise.reject(new Error('not asked')))
    await keep(new File([model], 'old.gguf'))
    show({ WebAssembly: { ...able.WebAssembly, validate: () => false } })
    expect(await screen.findByText(/WebAssembly has no SIMD/)).toBeDefined()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByLabelText('Or a file on your disk')).toBeNull()
    expect(await screen.findByRole('button', { name: 'Remove old.gguf' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Add old.gguf' })).toBeNull()
    await press('Remove old.gguf')
    await waitFor(() => expect(screen.queryByText('old.gguf')).toBeNull())
  })
})

it('shows nothing in English when the language is Chinese', async () => {
  inChinese()
  const { show, keep } = setUp(() => Promise.reject(new Error('not asked')))
  await keep(new File([model], 'old.gguf'))
  const { container } = show()
  expect(await screen.findByRole('button', { name: '移除 old.gguf' })).toBeDefined()
  expect(englishIn(container)).toEqual([])
})

it('shows the error in the language that was chosen after it happened', async () => {
  const refused = makeError('forbidden', 'wllama.not-https', { host: 'x.com' })
  const { form, show } = setUp(() => Promise.reject(refused))
  const { rerender } = show()
  await type('http://x.com/tiny.gguf')
  await press('Check')
  expect((await screen.findByRole('alert')).textContent).toContain('encryption')
  inChinese()
  rerender(form())
  expect(screen.getByRole('alert').textContent).toContain('加密')
})

it('shows the worker’s English errors in Chinese', async () => {
  const refused = makeError('forbidden', 'wllama.not-https', { host: 'x.com' })
  inChinese()
  setUp(() => Promise.reject(refused)).show()
  await userEvent.type(screen.getByRole('textbox'), 'http://x.com/tiny.gguf')
  await userEvent.click(screen.getByRole('button', { name: '检查' }))
  const { textContent } = await screen.findByRole('alert')
  expect(textContent).toContain('x.com')
  expect(textContent).not.toContain('encryption')
})

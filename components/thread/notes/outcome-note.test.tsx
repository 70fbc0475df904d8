// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { endBrokenOff } from '@/lib/shared/conversation/reply-end'
import { OutcomeNote } from './outcome-note'

vi.mock('@/components/context/chat-context', () => ({ useThreadActions: () => ({ regenerate() {} }) }))

afterEach(cleanup)

it.each([
  ['ollama/qwen3', 'The server stopped'],
  ['browser/ollama:qwen3', 'The tab that wrote this was closed or offline.'],
  ['browser/paste:any chat', 'The tab that wrote this was closed or offline.'],
])('says what was lost while %s wrote', (model, who) => {
  const message = { role: 'assistant', model, text: 'so far', outcome: 'interrupted' } as AssistantMessage
  render(<OutcomeNote message={message} isLast />)
  expect(screen.getByRole('paragraph').textContent).toContain(who)
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
})

it('says why a reply could not be saved', () => {
  const failure = { code: 'unknown', message: 'This reply could not be saved. The disk is full.', detail: '' }
  const message = { role: 'assistant', model: 'ollama/qwen3', text: 'so far', outcome: 'interrupted', failure }
  render(<OutcomeNote message={message as AssistantMessage} isLast />)
  expect(screen.getByRole('paragraph').textContent).toContain('The disk is full.')
  expect(screen.queryByText(/server stopped/)).toBeNull()
})

it('says that nothing arrived for a reply nobody pasted, and what Retry does', () => {
  const message = {
    role: 'assistant',
    model: 'browser/paste:any chat',
    text: '',
    outcome: 'interrupted',
  } as AssistantMessage
  render(<OutcomeNote message={message} isLast />)
  expect(screen.getByRole('paragraph').textContent).toMatch(/^The tab that waited .*Press Retry to get the prompt/)
  expect(screen.queryByText(/The text so far is kept/)).toBeNull()
})

it.each(['stopped', 'length', 'interrupted', 'failed'] as const)('is shown in Chinese: %s', (outcome) => {
  inChinese()
  const { failure } = endBrokenOff('qwen3:8b')
  const message = { role: 'assistant', model: 'ollama/qwen3', text: 'so far', outcome, failure } as AssistantMessage
  const { container } = render(<OutcomeNote message={message} isLast />)
  expect(container.textContent).toMatch(/\p{sc=Han}/u)
  expect(englishIn(container)).toEqual([])
})

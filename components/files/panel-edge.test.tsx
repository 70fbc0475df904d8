// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { PanelEdge } from './workspace-panel'

afterEach(() => {
  cleanup()
  localStorage.clear()
  document.documentElement.removeAttribute('style')
})

const edge = () => screen.getByRole('separator', { name: 'Width of the workspace' })
const now = () => edge().getAttribute('aria-valuenow')
const panel = () => document.documentElement.style.getPropertyValue('--panel')

describe('the edge of the workspace', () => {
  it('keeps the default width until it is moved', () => {
    render(<PanelEdge />)
    expect([now(), panel()]).toEqual(['25', ''])
  })

  it('is moved with keys between 20 and 40 rem', () => {
    render(<PanelEdge />)
    fireEvent.keyDown(edge(), { key: 'ArrowLeft' })
    expect([now(), panel()]).toEqual(['26', 'min(26rem, 45vw)'])
    fireEvent.keyDown(edge(), { key: 'End' })
    fireEvent.keyDown(edge(), { key: 'ArrowLeft' })
    expect(now()).toBe('40')
    fireEvent.keyDown(edge(), { key: 'Home' })
    fireEvent.keyDown(edge(), { key: 'ArrowRight' })
    expect(now()).toBe('20')
    fireEvent.keyDown(edge(), { key: 'ArrowLeft', ctrlKey: true })
    expect(now()).toBe('20')
  })

  it('follows a drag only if it started on the edge', () => {
    Object.assign(Element.prototype, { setPointerCapture: () => undefined, hasPointerCapture: () => false })
    render(<PanelEdge />)
    fireEvent.pointerMove(edge(), { pointerId: 1, clientX: window.innerWidth - 480 })
    expect(now()).toBe('25')
    Object.assign(Element.prototype, { hasPointerCapture: () => true })
    fireEvent.pointerMove(edge(), { pointerId: 1, clientX: window.innerWidth - 480 })
    expect(now()).toBe('30')
  })

  it('remembers its width, and ignores invalid stored values', () => {
    render(<PanelEdge />)
    fireEvent.keyDown(edge(), { key: 'ArrowLeft' })
    cleanup()
    render(<PanelEdge />)
    expect(now()).toBe('26')
    cleanup()
    localStorage.setItem('nod:panel-rem', 'wide')
    render(<PanelEdge />)
    expect(now()).toBe('25')
  })
})

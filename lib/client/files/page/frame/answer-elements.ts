import { sourceCandidates, sourceSet, styleAddresses, underConditions } from '../inline-media'
import { isOwnAddress } from '../page-address'
import { pageText } from '../page-files'
import { accessOf, patchMethod, patchProperty } from './answer-requests'
import type { SiblingFiles, FrameModules } from './frame-modules'

/** The attributes with which elements load, and the classes on which scripts set them. */
const loading: Readonly<Record<string, readonly string[]>> = {
  src: ['HTMLImageElement', 'HTMLSourceElement', 'HTMLMediaElement', 'HTMLInputElement', 'HTMLScriptElement'],
  srcset: ['HTMLImageElement', 'HTMLSourceElement'],
  poster: ['HTMLVideoElement'],
  href: ['HTMLLinkElement'],
}
const loads = 'img, source, audio, video, input, script, link, image'
const withAddress = '[src], [srcset], [poster], link[href], image[href]'
const mayName = /\b(?:src|srcset|poster|href)\s*=|url\(|<style/i

/**
 * Makes elements that scripts create load the files of the workspace. In attributes that are set and in HTML that is
 * written, addresses are replaced by the files before the browser requests them; in anything else, right after.
 */
export function answerElements(beside: SiblingFiles, modules: FrameModules): void {
  const own = ownAddresses(beside, modules)
  const written = new WeakMap<Element, Map<string, string>>()
  const setOn = (element: Element, name: string, value: string): string => {
    const now = own.value(element, name, value)
    if (now !== value) {
      const names = written.get(element) ?? new Map<string, string>()
      written.set(element, names.set(name, value))
    } else written.get(element)?.delete(name)
    return now
  }

  for (const [name, classes] of Object.entries(loading)) {
    for (const made of classes) {
      patchProperty(prototypeOf(made), name, {
        write: (element, value) => setOn(element, name, String(value)),
        // A script reads back the address that it wrote.
        read: (element, value) => {
          const before = written.get(element)?.get(name)
          if (before === undefined) return value
          return name === 'srcset' ? before : new URL(before, document.baseURI).href
        },
      })
    }
  }
  patchMethod(Element.prototype, 'setAttribute', (call, self, [name, value]) =>
    call([name, isLoading(self, name) ? setOn(self as Element, String(name), String(value)) : value]),
  )
  patchMethod(Element.prototype, 'setAttributeNS', (call, self, [space, name, value]) => {
    const short = String(name).replace(/^xlink:/, '')
    return call([space, name, isLoading(self, short) ? setOn(self as Element, short, String(value)) : value])
  })
  const markup = { write: (_: Element, html: unknown) => (typeof html === 'string' ? own.html(html) : html) }
  patchProperty(Element.prototype, 'innerHTML', markup)
  patchProperty(Element.prototype, 'outerHTML', markup)
  patchProperty(ShadowRoot.prototype, 'innerHTML', markup)
  patchMethod(Element.prototype, 'insertAdjacentHTML', (call, _self, [where, html]) =>
    call([where, typeof html === 'string' ? own.html(html) : html]),
  )
  const NativeFontFace = globalThis.FontFace
  if (NativeFontFace) {
    globalThis.FontFace = class extends NativeFontFace {
      constructor(family: string, source: string | BufferSource, options?: FontFaceDescriptors) {
        super(family, typeof source === 'string' ? own.css(source) : source, options)
      }
    }
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes') own.mend(target as Element)
      else for (const node of addedNodes) own.mendAll(node)
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['src', 'srcset', 'poster', 'href', 'style'],
  })
}

const prototypeOf = (name: string): object | undefined =>
  (globalThis as unknown as Readonly<Record<string, { readonly prototype: object } | undefined>>)[name]?.prototype

const isLoading = (element: unknown, name: unknown): boolean =>
  element instanceof Element && Object.hasOwn(loading, String(name).toLowerCase()) && element.matches(loads)

/** Replaces addresses of the workspace by loadable ones, in each place where an address may occur. */
function ownAddresses(beside: SiblingFiles, modules: FrameModules) {
  const template = document.createElement('template')
  // Taken before it is patched: parsing and searching use the original.
  const markup = accessOf(Element.prototype, 'innerHTML')

  function address(written: string): string {
    if (isOwnAddress(written)) return written
    const found = beside.find(written)
    return found.kind === 'file' ? beside.address(found.file) : written
  }

  function script(element: Element, written: string): string {
    const found = isOwnAddress(written) ? null : beside.find(written)
    if (found?.kind !== 'file') return written
    return element.getAttribute('type') === 'module' ? modules.importing(found.file) : modules.script(found.file)
  }

  function sheet(written: string): string {
    const found = isOwnAddress(written) ? null : beside.find(written)
    if (found?.kind !== 'file') return written
    return beside.address(found.file, css(pageText(found.file), found.file.path))
  }

  /** @param within sheets that import this one */
  function css(text: string, from?: string, within: readonly string[] = []): string {
    const parts: string[] = []
    let at = 0
    for (const { kind, address: named, conditions, start, end } of styleAddresses(text)) {
      const found = isOwnAddress(named) ? null : beside.find(named, from)
      if (found?.kind !== 'file') continue
      const { path } = found.file
      const inner = () =>
        path === from || within.includes(path)
          ? ''
          : underConditions(css(pageText(found.file), path, [...within, from ?? '']), conditions)
      parts.push(text.slice(at, start), kind === 'import' ? inner() : `url("${beside.address(found.file)}")`)
      at = end
    }
    return parts.join('') + text.slice(at)
  }

  function value(element: Element, name: string, written: string): string {
    if (name === 'srcset') {
      const candidates = sourceCandidates(written)
      return sourceSet(candidates.map((one) => ({ ...one, address: address(one.address) })))
    }
    if (element.localName === 'script') return script(element, written)
    if (element.localName !== 'link') return address(written)
    return /\bstylesheet\b/i.test(element.getAttribute('rel') ?? '') || /\.css(?:[?#]|$)/i.test(written)
      ? sheet(written)
      : written
  }

  /** Replaces the addresses in an element; returns whether there were any. */
  function mend(element: Element): boolean {
    let isMended = false
    const put = (name: string, before: string | null, now: string | null) => {
      if (before === null || now === null || before === now) return
      element.setAttribute(name, now)
      isMended = true
    }
    if (element.matches(withAddress)) {
      for (const name of Object.keys(loading)) {
        const written = element.getAttribute(name)
        if (written !== null && isLoading(element, name)) put(name, written, value(element, name, written))
      }
    }
    const style = element instanceof HTMLElement ? element.style : null
    if (style !== null && /url\(/.test(`${style.backgroundImage}${style.maskImage}`)) {
      const written = element.getAttribute('style')
      put('style', written, written === null ? null : css(written))
    }
    if (element.localName === 'style' && element.textContent.includes('url(')) {
      const now = css(element.textContent)
      if (now !== element.textContent) {
        element.textContent = now
        isMended = true
      }
    }
    return isMended
  }

  function mendAll(node: Node): boolean {
    let isMended = node instanceof Element && mend(node)
    if (!(node instanceof Element || node instanceof DocumentFragment)) return isMended
    for (const element of node.querySelectorAll(`${withAddress}, [style], style`)) {
      if (mend(element)) isMended = true
    }
    return isMended
  }

  function html(text: string): string {
    if (!mayName.test(text) || markup === null) return text
    markup.set(template, [text])
    return mendAll(template.content) ? template.innerHTML : text
  }

  return { value, css, mend, mendAll, html }
}

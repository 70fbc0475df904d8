'use client'

import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import './html-frame.css'
import { useEffect, useRef, useState } from 'react'

export interface HtmlFrameProps {
  readonly label: string
  readonly html: string
  /** `content`: as high as what it shows, up to a limit; `fill`: as high as its place. */
  readonly height?: 'content' | 'fill'
}

const firstHeightPx = 48
const maxHeightPx = 640

/**
 * Foreign HTML in a frame of its own: an opaque origin without network, scripts, forms or windows (`/show.html` and its
 * headers see to it). It gets the HTML once, when it says that it is there.
 */
export function HtmlFrame({ label, html, height = 'content' }: HtmlFrameProps) {
  // The frame shows one text in its life; another text is another frame.
  return <Frame key={html} label={label} html={html} height={height} />
}

function Frame({ label, html, height }: Required<HtmlFrameProps>) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [heightPx, setHeightPx] = useState(firstHeightPx)
  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      const inside = frame.current?.contentWindow
      if (!inside || event.source !== inside) return
      const data: unknown = event.data
      if (typeof data !== 'object' || data === null || !('type' in data)) return
      // An opaque origin can only be addressed by the star; what is sent is the frame's own.
      if (data.type === 'nod-show-hello') inside.postMessage({ type: 'nod-show', html }, '*')
      if (data.type === 'nod-show-size' && 'height' in data && typeof data.height === 'number') {
        const asked = Number.isFinite(data.height) ? data.height : maxHeightPx
        setHeightPx(Math.min(Math.max(Math.ceil(asked), firstHeightPx), maxHeightPx))
      }
    }
    window.addEventListener('message', onMessage)
    // The address comes after the listener, or its first word could be missed.
    if (frame.current) frame.current.src = '/show.html'
    return () => window.removeEventListener('message', onMessage)
  }, [html])
  return (
    <iframe
      ref={frame}
      title={visibleText(label, 'prose')}
      className={`html-frame ${height}`}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      style={height === 'content' ? { height: heightPx } : undefined}
    />
  )
}

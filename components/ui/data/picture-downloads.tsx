'use client'

import { useState } from 'react'
import { unmarked } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { downloadBlob } from './download-blob'
import { shownDo } from '../recipes/surface'
import { SentenceText } from '../text/foreign-text'
import { TextButton } from '../controls/button'
import { useCollected } from '../popups/menu'

interface Action {
  readonly label: string
  readonly run: () => void
}

export interface PictureDownloadsProps {
  /** Without its extension, or with the right one. */
  readonly name: string
  readonly picture:
    | { readonly kind: 'raster'; readonly dataUrl: string }
    /** `png` draws it where it is shown; null if it is not shown, or can't be drawn. */
    | { readonly kind: 'svg'; readonly svg: string; readonly png: () => Promise<Blob | null> }
  /** Attaches the picture to the next message; left out if there is none. */
  readonly onAttach?: ((file: File) => void) | undefined
}

/** Downloads a shown picture as it is, and an SVG also as PNG. */
export default function PictureDownloads({ name, picture, onAttach }: PictureDownloadsProps) {
  const [failed, setFailed] = useState(false)
  const plain = unmarked(name)
  const named = (ending: string) => (plain.toLowerCase().endsWith(`.${ending}`) ? plain : `${plain}.${ending}`)
  const drawn = async (draw: () => Promise<Blob | null>, use: (blob: Blob) => void) => {
    const blob = await draw()
    setFailed(blob === null)
    if (blob) use(blob)
  }
  const attach = (ending: string, blob: Blob) => onAttach?.(new File([blob], named(ending), { type: blob.type }))
  const actions = (): readonly Action[] => {
    if (picture.kind === 'raster') {
      const type = /^data:image\/(\w+)/.exec(picture.dataUrl)?.[1] ?? 'png'
      const ending = type === 'jpeg' ? 'jpg' : type
      return [
        {
          label: t('view.download', { format: type === 'webp' ? 'WebP' : type.toUpperCase() }),
          run: () => downloadBlob(named(ending), blobOf(picture.dataUrl)),
        },
        ...attaching(() => attach(ending, blobOf(picture.dataUrl))),
      ]
    }
    return [
      {
        label: t('view.download', { format: 'SVG' }),
        run: () => downloadBlob(named('svg'), new Blob([picture.svg], { type: 'image/svg+xml' })),
      },
      {
        label: t('view.download', { format: 'PNG' }),
        run: () => void drawn(picture.png, (blob) => downloadBlob(named('png'), blob)),
      },
      ...attaching(() => void drawn(picture.png, (blob) => attach('png', blob))),
    ]
  }
  const attaching = (run: () => void): readonly Action[] => (onAttach ? [{ label: t('view.attach'), run }] : [])
  const items = actions()
  const isCollected = useCollected(name, items)
  const trouble = failed ? <span role="status">{t('view.no-png')}</span> : null
  if (isCollected && trouble === null) return null
  return (
    <p data-shown="" className={shownDo()}>
      {isCollected
        ? null
        : items.map(({ label, run }) => (
            <TextButton key={label} onClick={run}>
              <SentenceText text={label} />
            </TextButton>
          ))}
      {trouble}
    </p>
  )
}

/** The bytes of a base64 data URL. */
function blobOf(url: string): Blob {
  const type = url.slice(5, url.indexOf(';'))
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type })
}

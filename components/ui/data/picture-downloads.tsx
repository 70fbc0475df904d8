'use client'

import { useState } from 'react'
import { unmarked } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { downloadBlob } from './download-blob'
import { shownDo } from '../recipes/surface'
import { TextButton } from '../controls/button'

export interface PictureDownloadsProps {
  /** Without its ending, or with the right one. */
  readonly name: string
  readonly picture:
    | { readonly kind: 'raster'; readonly dataUrl: string }
    /** `png` draws it where it is shown; null: it is not shown, or can't be drawn. */
    | { readonly kind: 'svg'; readonly svg: string; readonly png: () => Promise<Blob | null> }
}

/** Keeps a shown picture: as it is, and an SVG as PNG too. */
export default function PictureDownloads({ name, picture }: PictureDownloadsProps) {
  const [failed, setFailed] = useState(false)
  const plain = unmarked(name)
  const named = (ending: string) => (plain.toLowerCase().endsWith(`.${ending}`) ? plain : `${plain}.${ending}`)
  const savePng = async (draw: () => Promise<Blob | null>) => {
    const blob = await draw()
    setFailed(blob === null)
    if (blob) downloadBlob(named('png'), blob)
  }
  if (picture.kind === 'raster') {
    const type = /^data:image\/(\w+)/.exec(picture.dataUrl)?.[1] ?? 'png'
    return (
      <p data-shown="" className={shownDo()}>
        <TextButton onClick={() => downloadBlob(named(type === 'jpeg' ? 'jpg' : type), blobOf(picture.dataUrl))}>
          {t('view.download', { format: type === 'webp' ? 'WebP' : type.toUpperCase() })}
        </TextButton>
      </p>
    )
  }
  return (
    <p data-shown="" className={shownDo()}>
      <TextButton onClick={() => downloadBlob(named('svg'), new Blob([picture.svg], { type: 'image/svg+xml' }))}>
        {t('view.download', { format: 'SVG' })}
      </TextButton>
      <TextButton onClick={() => void savePng(picture.png)}>{t('view.download', { format: 'PNG' })}</TextButton>
      {failed ? <span role="status">{t('view.no-png')}</span> : null}
    </p>
  )
}

/** The bytes of a base64 data URL. */
function blobOf(url: string): Blob {
  const type = url.slice(5, url.indexOf(';'))
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type })
}

import type { ImageMediaType } from '@/lib/shared/conversation/conversation'
import { sentSize } from '@/lib/shared/conversation/attached'
import { imageTypeOf } from '@/lib/shared/conversation/settings/image-type'
import type { ScalePicture } from './load-pictures'

/** A lossless image stays lossless up to this size. */
const KEPT_BYTES = 1_500_000

/**
 * Scales an image for models. A small one is used as it is, else it is scaled down; a lossless one stays lossless if it
 * fits. JPEGs are always re-encoded: their metadata may contain where they were taken. Returns null if the browser
 * can't open it.
 */
export const scalePicture: ScalePicture = async (data) => {
  const type = imageTypeOf(data)
  const blob = new Blob([new Uint8Array(data)], type ? { type } : {})
  const picture = await createImageBitmap(blob).catch(() => null)
  if (!picture) return null
  try {
    const { width, height } = sentSize(picture)
    const isAsItIs = width === picture.width && height === picture.height
    if (type && type !== 'image/jpeg' && isAsItIs && data.byteLength <= KEPT_BYTES) {
      return { mediaType: type, data: await base64Of(blob) }
    }
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d')
    if (!context) return null
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    return await writtenAs(canvas, type === 'image/jpeg' ? ['image/jpeg'] : ['image/png', 'image/webp', 'image/jpeg'])
  } finally {
    picture.close()
  }
}

/** The first format that is small enough, else the last. A browser that can't write a format produces PNG instead. */
async function writtenAs(canvas: OffscreenCanvas, types: readonly ImageMediaType[]) {
  let written: Blob | null = null
  for (const type of types) {
    const blob = await canvas.convertToBlob({ type, quality: 0.88 })
    if (written === null || blob.size < written.size) written = blob
    if (written.size <= KEPT_BYTES) break
  }
  if (!written) return null
  const mediaType = imageTypeOf(new Uint8Array(await written.slice(0, 16).arrayBuffer()))
  return mediaType && { mediaType, data: await base64Of(written) }
}

async function base64Of(blob: Blob): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(reader.error ?? new Error('the picture could not be read'))
    reader.readAsDataURL(blob)
  })
  return address.slice(address.indexOf(',') + 1)
}

/** Sharp on dense screens; larger sides are not what anyone wants of a picture. */
const scale = 2
const maxSidePx = 4_096

/** A picture that is shown, as PNG on its paper; null where the browser keeps its pixels to itself. */
export async function pictureAsPng(image: HTMLImageElement, paper: string): Promise<Blob | null> {
  const { naturalWidth: width, naturalHeight: height } = image
  const factor = Math.min(scale, maxSidePx / Math.max(width, height, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * factor))
  canvas.height = Math.max(1, Math.round(height * factor))
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = paper
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  try {
    return await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  } catch {
    // Pictures with foreign objects in them taint it.
    return null
  }
}

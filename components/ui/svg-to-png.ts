/** Sharp on dense screens; larger sides are not what anyone wants of a chart. */
const scale = 2
const maxSidePx = 4096

/** An SVG drawn on white, twice its size; null when the browser can't draw it. */
export async function svgToPng(svg: string): Promise<Blob | null> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const [width, height] = [image.naturalWidth || 300, image.naturalHeight || 150]
    const factor = Math.min(scale, maxSidePx / Math.max(width, height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(width * factor))
    canvas.height = Math.max(1, Math.round(height * factor))
    const paper = canvas.getContext('2d')
    if (!paper) return null
    paper.fillStyle = '#fff'
    paper.fillRect(0, 0, canvas.width, canvas.height)
    paper.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Bytes as base64, computed off the page's thread. @throws DOMException if they cannot be read */
export function base64Of(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = reader.result as string;
      resolve(address.slice(address.indexOf(",") + 1));
    };
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(content);
  });
}

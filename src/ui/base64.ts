/** Bytes as base64, made off the page's thread. @throws DOMException where they cannot be read */
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

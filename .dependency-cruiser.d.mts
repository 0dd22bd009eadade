export const FLOORS: readonly (readonly string[])[];
export const cruiserOptions: object;
declare const configuration: { forbidden: object[]; options: object };
export default configuration;

/** The fields of config.json on positions and attention windows: each in up to three places, which must agree. */
import { show } from "../numeric/inputError.ts";
import { isRecord, type JsonObject } from "../spec/jsonText.ts";
import { flagField, onlyField, positive, refuse } from "./configFields.ts";

/** transformers' defaults for missing fields. */
const THETA = 10000;
const SLIDING_FROM = 28;
const WINDOW = 4096;

/** The first is transformers 5's; it reads the second instead if both are present. */
const ROPE_FIELDS = ["rope_parameters", "rope_scaling"];

/**
 * The base of the rotary positions. transformers 4 reads only the top-level field, 5 the nested one
 * first: if they differ, the two compute different models, so that is refused.
 */
export function ropeTheta(json: JsonObject): number {
  const said: [string, unknown][] = [["rope_theta", json["rope_theta"]]];
  for (const field of ROPE_FIELDS)
    said.push([`${field}.rope_theta`, rope(json, field)["rope_theta"]]);
  const given = said.filter(([, value]) => value != null);
  const thetas = given.map(([field, value]) => positive(field, value));
  const other = thetas.findIndex((theta) => theta !== thetas[0]);
  if (other > 0)
    refuse(given[other]![0], thetas[other], `${given[0]![0]} is ${thetas[0]}; make them agree`);
  return thetas[0] ?? THETA;
}

/** The object of one field, {} if there is none; anything but plain rotary positions is refused. */
function rope(json: JsonObject, field: string): JsonObject {
  const found = json[field] ?? {};
  if (!isRecord(found)) refuse(field, found, "it must be an object");
  // Old files have `type`, some have both.
  for (const kind of [found["type"], found["rope_type"]])
    onlyField(`${field}.rope_type`, kind, [null, "default"]);
  onlyField(`${field}.partial_rotary_factor`, found["partial_rotary_factor"], [null, 1]);
  for (const [part, value] of Object.entries(found))
    if (isRecord(value)) refuse(`${field}.${part}`, value, "all layers must have the same");
  return found;
}

/**
 * Layers with sliding-window attention are refused. As in transformers, `layer_types` decides if
 * present, else use_sliding_window, sliding_window and max_window_layers do.
 */
export function refuseSliding(json: JsonObject, layers: number): void {
  const types = json["layer_types"] ?? null;
  if (types !== null) {
    if (!Array.isArray(types)) return refuse("layer_types", types, "it must be a list");
    for (const kind of types) onlyField("layer_types", kind ?? "null", ["full_attention"]);
    if (types.length !== layers) {
      const rule = `num_hidden_layers is ${layers}; make them agree`;
      refuse("layer_types", types, `it has ${types.length} layers and ${rule}`);
    }
    return;
  }
  if (!flagField(json, "use_sliding_window", false)) return;
  const { sliding_window: window = WINDOW, max_window_layers: from = SLIDING_FROM } = json;
  if (window === null || (typeof from === "number" && from >= layers)) return;
  const rule = `layers from max_window_layers = ${show(from)} on would see ${show(window)} tokens`;
  refuse("use_sliding_window", true, `${rule}; only full attention is supported`);
}

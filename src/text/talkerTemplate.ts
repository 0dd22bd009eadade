/**
 * A chat template that renders what Qwen3's does (Apache-2.0; the sentences on tools are Qwen's),
 * in our own program: a test compares it with renderings of Qwen's own. Thoughts of turns before
 * the last user message are stripped.
 */
export const QWEN3_TEMPLATE = String.raw`
{%- set system = messages[0].content if messages[0].role == 'system' else none %}
{%- if tools %}
  {{- '<|im_start|>system\n' }}
  {%- if system is not none %}{{- system + '\n\n' }}{% endif %}
  {{- '# Tools\n\nYou may call one or more functions to assist with the user query.\n\n' }}
  {{- 'You are provided with function signatures within <tools></tools> XML tags:\n<tools>' }}
  {%- for tool in tools %}{{- '\n' }}{{- tool | tojson }}{% endfor %}
  {{- '\n</tools>\n\nFor each function call, return a json object with function name and arguments ' }}
  {{- 'within <tool_call></tool_call> XML tags:\n<tool_call>\n' }}
  {{- '{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call><|im_end|>\n' }}
{%- elif system is not none %}
  {{- '<|im_start|>system\n' + system + '<|im_end|>\n' }}
{%- endif %}
{%- set last = namespace(query=messages|length - 1) %}
{%- for message in messages %}
  {%- set text = message.content if message.content is string else none %}
  {%- set answers_tool = text is not none and text.startswith('<tool_response>') and text.endswith('</tool_response>') %}
  {%- if message.role == 'user' and text is not none and not answers_tool %}
    {%- set last.query = loop.index0 %}
  {%- endif %}
{%- endfor %}
{%- for message in messages %}
  {%- set text = message.content if message.content is string else '' %}
  {%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}
    {{- '<|im_start|>' + message.role + '\n' + text + '<|im_end|>\n' }}
  {%- elif message.role == 'assistant' %}
    {%- set thought = '' %}
    {%- if message.reasoning_content is string %}
      {%- set thought = message.reasoning_content %}
    {%- elif '</think>' in text %}
      {%- set thought = text.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') %}
      {%- set text = text.split('</think>')[-1].lstrip('\n') %}
    {%- endif %}
    {{- '<|im_start|>assistant\n' }}
    {%- if loop.index0 > last.query and (loop.last or thought) %}
      {{- '<think>\n' + thought.strip('\n') + '\n</think>\n\n' + text.lstrip('\n') }}
    {%- else %}
      {{- text }}
    {%- endif %}
    {%- for call in message.tool_calls or [] %}
      {%- if text or not loop.first %}{{- '\n' }}{% endif %}
      {%- set called = call.function or call %}
      {{- '<tool_call>\n{"name": "' + called.name + '", "arguments": ' }}
      {{- called.arguments if called.arguments is string else called.arguments | tojson }}
      {{- '}\n</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\n' }}
  {%- elif message.role == 'tool' %}
    {%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user' }}{% endif %}
    {{- '\n<tool_response>\n' + text + '\n</tool_response>' }}
    {%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\n' }}{% endif %}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
  {{- '<|im_start|>assistant\n' }}
  {%- if enable_thinking is defined and enable_thinking is false %}
    {{- '<think>\n\n</think>\n\n' }}
  {%- endif %}
{%- endif %}`.trimStart();

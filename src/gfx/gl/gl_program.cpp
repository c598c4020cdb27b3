// SPDX-License-Identifier: Apache-2.0
#include "gfx/gl/gl_program.h"

#include "base/files.h"

namespace tilestep::gfx {
namespace {

std::string firstLine(std::string text) {
  const size_t end = text.find_first_of("\r\n");
  if (end != std::string::npos) text.resize(end);
  return text.empty() ? "the driver gives no reason" : text;
}

std::string shaderLog(GLuint shader) {
  char text[512] = "";
  glGetShaderInfoLog(shader, sizeof text, nullptr, text);
  return firstLine(text);
}

std::string programLog(GLuint program) {
  char text[512] = "";
  glGetProgramInfoLog(program, sizeof text, nullptr, text);
  return firstLine(text);
}

Result<GLuint> compile(GLenum kind, const std::filesystem::path& file) {
  Result<std::string> source = readTextFile(file);
  if (!source.ok()) return std::move(source).error();
  const GLuint shader = glCreateShader(kind);
  const char* text = source->c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint done = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done != 0) return shader;
  const std::string reason = shaderLog(shader);
  glDeleteShader(shader);
  return workError("The shader " + file.string() + " does not compile: " + reason);
}

}  // namespace

Result<GlProgram> GlProgram::load(const std::filesystem::path& folder, const std::string& name) {
  Result<GLuint> vertex = compile(GL_VERTEX_SHADER, folder / (name + ".vert"));
  if (!vertex.ok()) return std::move(vertex).error();
  Result<GLuint> fragment = compile(GL_FRAGMENT_SHADER, folder / (name + ".frag"));
  if (!fragment.ok()) {
    glDeleteShader(*vertex);
    return std::move(fragment).error();
  }
  GlProgram program(glCreateProgram());
  glAttachShader(program.id_, *vertex);
  glAttachShader(program.id_, *fragment);
  glLinkProgram(program.id_);
  glDeleteShader(*vertex);  // Freed with the program.
  glDeleteShader(*fragment);
  GLint linked = 0;
  glGetProgramiv(program.id_, GL_LINK_STATUS, &linked);
  if (linked != 0) return program;
  return workError("The shaders " + (folder / name).string() +
                   ".vert and .frag do not link: " + programLog(program.id_));
}

}  // namespace tilestep::gfx

"""Networks in the ONNX format: written, checked, and run by onnxruntime where that is installed."""

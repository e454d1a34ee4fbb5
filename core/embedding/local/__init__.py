"""multilingual-e5-small with 4-bit weights, run by onnxruntime."""
